import type { Findings, MomentEvent, TransitionEvent } from '../contract/findings.ts';
import type { Utterance } from '../contract/timeline.ts';

/** Who asked and what for; both steer what is named first. */
export interface ConversationOptions {
  conversationId: string;
  /** The client's analysis focus; '' for none. */
  goal: string;
}

/** What one more utterance completes. */
export interface Completed {
  transitions: TransitionEvent[];
  moments: MomentEvent[];
}

/** Utterances in, findings out. Pure and synchronous; the same for batch, replay, live and re-segmentation. */
export interface ConversationModel {
  /** Utterances come in order of `t_start`. */
  add(utterance: Utterance): Completed;
  /** Concludes over everything added; may be called once. */
  finish(): Findings;
}
