/** The reasons that somebody gives against what is proposed. */
export const OBJECTION_LABELS = ['price', 'timing', 'authority', 'need', 'trust', 'competitor', 'technical'] as const;
export type ObjectionLabel = (typeof OBJECTION_LABELS)[number];
