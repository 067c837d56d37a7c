import type { MomentCategory } from '../../contract/findings.ts';

/** The genre of conversation that a phase belongs to. 'any' fits all. */
export type Genre = 'any' | 'sales' | 'support' | 'interview' | 'meeting';

/** A purpose that a phase can have in any language. */
interface KindRow {
  kind: string;
  /** The genres in which the kind typically occurs. In others it needs more evidence. */
  genres: readonly Genre[];
  /** Typical position in a conversation, from 0 (start) to 1 (end). Absent if the kind can occur anywhere. */
  position?: number;
  /** Moments that support the kind. If moments are known, a phase needs at least one of these to get this kind. */
  moments?: readonly MomentCategory[];
}

/** Kinds of phases, named as in guides on sales, support, interviews and meetings. */
const ROWS = [
  { kind: 'opening', genres: ['any'], position: 0 },
  { kind: 'introductions', genres: ['any'], position: 0.08 },
  { kind: 'closing', genres: ['any'], position: 1 },
  { kind: 'small_talk', genres: ['any'] },
  { kind: 'request', genres: ['any', 'support', 'sales'], position: 0.08 },
  { kind: 'pricing', genres: ['any', 'sales'], position: 0.62 },
  { kind: 'negotiation', genres: ['any', 'sales'], position: 0.68, moments: ['cta_offered', 'cta_rejected'] },
  { kind: 'scheduling', genres: ['any', 'support'], position: 0.72 },
  { kind: 'recommendation', genres: ['any', 'support'], position: 0.55 },
  { kind: 'agreement', genres: ['any', 'sales'], position: 0.85, moments: ['cta_accepted'] },
  { kind: 'next_steps', genres: ['any', 'meeting'], position: 0.9 },
  { kind: 'problem', genres: ['support'], position: 0.15 },
  { kind: 'verification', genres: ['support'], position: 0.25 },
  { kind: 'troubleshooting', genres: ['support'], position: 0.45 },
  { kind: 'resolution', genres: ['support'], position: 0.75 },
  { kind: 'order_details', genres: ['sales', 'support'], position: 0.45 },
  { kind: 'discovery', genres: ['sales'], position: 0.25 },
  { kind: 'product_presentation', genres: ['sales'], position: 0.4 },
  { kind: 'objections', genres: ['sales'], position: 0.65, moments: ['objection'] },
  { kind: 'payment', genres: ['sales', 'support'], position: 0.72 },
  { kind: 'background_and_experience', genres: ['interview'], position: 0.2 },
  { kind: 'skills_questions', genres: ['interview'], position: 0.5 },
  { kind: 'role_and_conditions', genres: ['interview'], position: 0.75 },
  { kind: 'agenda', genres: ['meeting'], position: 0.04 },
  { kind: 'presentation', genres: ['meeting'], position: 0.35 },
  { kind: 'status_reports', genres: ['meeting', 'any'], position: 0.3 },
  { kind: 'decision', genres: ['meeting'], position: 0.8, moments: ['cta_accepted'] },
] as const satisfies readonly KindRow[];
export type PhaseKind = (typeof ROWS)[number]['kind'];
export const PHASE_KINDS: readonly (KindRow & { kind: PhaseKind })[] = ROWS;

/**
 * The phrases that reveal a kind, in the notation of `text/phrases.ts`. A string can contain several, separated by
 * commas.
 */
export interface PhrasesOfKind {
  /** Phrases that are sufficient to establish the kind. */
  cues: readonly string[];
  /** Phrases that only support it. */
  hints?: readonly string[];
}
export type KindPhrases = Readonly<Partial<Record<PhaseKind, PhrasesOfKind>>>;
