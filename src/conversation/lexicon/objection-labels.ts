/** The possible reasons for an objection. */
export const OBJECTION_LABELS = ['price', 'timing', 'authority', 'need', 'trust', 'competitor', 'technical'] as const;
export type ObjectionLabel = (typeof OBJECTION_LABELS)[number];
