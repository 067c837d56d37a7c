import type { MomentCategory } from '../../contract/findings.ts';

/** The sort of conversation a phase belongs to; 'any' fits all. */
export type Genre = 'any' | 'sales' | 'support' | 'interview' | 'meeting';

/** A purpose that a phase can have, in any language. */
interface KindRow {
  kind: string;
  /** Conversations in which the kind is usual; elsewhere it needs more evidence. */
  genres: readonly Genre[];
  /** Usual position in a conversation: 0 the start, 1 the end; absent when it may occur anywhere. */
  place?: number;
  /** Moments that support the kind; where moments are known, a phase without any of them is not named so. */
  moments?: readonly MomentCategory[];
}

/** Kinds of phases, as sales, support, interview and meeting guides name them. */
const ROWS = [
  { kind: 'opening', genres: ['any'], place: 0 },
  { kind: 'introductions', genres: ['any'], place: 0.08 },
  { kind: 'closing', genres: ['any'], place: 1 },
  { kind: 'small_talk', genres: ['any'] },
  { kind: 'request', genres: ['any', 'support', 'sales'], place: 0.08 },
  { kind: 'pricing', genres: ['any', 'sales'], place: 0.62 },
  { kind: 'negotiation', genres: ['any', 'sales'], place: 0.68, moments: ['cta_offered', 'cta_rejected'] },
  { kind: 'scheduling', genres: ['any', 'support'], place: 0.72 },
  { kind: 'recommendation', genres: ['any', 'support'], place: 0.55 },
  { kind: 'agreement', genres: ['any', 'sales'], place: 0.85, moments: ['cta_accepted'] },
  { kind: 'next_steps', genres: ['any', 'meeting'], place: 0.9 },
  { kind: 'problem', genres: ['support'], place: 0.15 },
  { kind: 'verification', genres: ['support'], place: 0.25 },
  { kind: 'troubleshooting', genres: ['support'], place: 0.45 },
  { kind: 'resolution', genres: ['support'], place: 0.75 },
  { kind: 'order_details', genres: ['sales', 'support'], place: 0.45 },
  { kind: 'discovery', genres: ['sales'], place: 0.25 },
  { kind: 'product_presentation', genres: ['sales'], place: 0.4 },
  { kind: 'objections', genres: ['sales'], place: 0.65, moments: ['objection'] },
  { kind: 'payment', genres: ['sales', 'support'], place: 0.72 },
  { kind: 'background_and_experience', genres: ['interview'], place: 0.2 },
  { kind: 'skills_questions', genres: ['interview'], place: 0.5 },
  { kind: 'role_and_conditions', genres: ['interview'], place: 0.75 },
  { kind: 'agenda', genres: ['meeting'], place: 0.04 },
  { kind: 'presentation', genres: ['meeting'], place: 0.35 },
  { kind: 'status_reports', genres: ['meeting', 'any'], place: 0.3 },
  { kind: 'decision', genres: ['meeting'], place: 0.8, moments: ['cta_accepted'] },
] as const satisfies readonly KindRow[];
export type PhaseKind = (typeof ROWS)[number]['kind'];
export const PHASE_KINDS: readonly (KindRow & { kind: PhaseKind })[] = ROWS;

/**
 * The phrases that reveal a kind, in the notation of `text/phrases.ts`; a string may hold several, separated by commas.
 */
export interface PhrasesOfKind {
  /** Phrases that establish the kind on their own. */
  cues: readonly string[];
  /** Phrases that only support it. */
  hints?: readonly string[];
}
export type KindPhrases = Readonly<Partial<Record<PhaseKind, PhrasesOfKind>>>;
