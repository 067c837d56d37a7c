import type {
  ConversationPhase,
  ConversationSegmentation,
  MomentEvent,
  TransitionEvent,
} from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { type Outcomes, outcomesOf, withoutRepeats } from '../outcomes.ts';
import {
  analyseStructure,
  type ConversationStructure,
  type StructureWeights,
} from '../phases/conversation-structure.ts';
import type { Phase } from '../phases/phases.ts';
import { focusStems } from '../topics/topic-words.ts';
import { narrativeArc, rationale } from './narrative.ts';
import { nameOf } from './phase-names.ts';
import { pickSentences, salience, salientTurns } from './salience.ts';
import { describeSignal } from './signal-descriptions.ts';
import { ended, note, otherOf, quoted } from './wording.ts';

/** What else is known about the conversation when it is cut into phases. */
export interface SegmentationOptions {
  /** What the caller asks for; steers which theme is named first. */
  context?: string;
  moments?: MomentEvent[];
  transitions?: TransitionEvent[];
}

/** The theme of a phase in which no word tells a topic. */
export const NO_TOPIC = 'no topic of its own';
/** Words of a quote in a phase's summary. */
const QUOTE_WORDS = 28;
/** Key moments told of one phase. */
const MAX_KEY_MOMENTS = 6;
/** Utterances from which a phase's summary quotes two sentences. */
const TWO_QUOTES = 4;

/**
 * Cuts a conversation into phases that tile it without gap or overlap and names each.
 * @param utterances in order of `t_start`.
 * @returns no phases for no utterances; else at least one, each of at least one utterance.
 */
export function segmentConversation(
  utterances: Utterance[],
  options: SegmentationOptions,
  weights: StructureWeights,
): ConversationSegmentation {
  const steps = segmentInSteps(utterances, options, weights);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `segmentConversation` in steps between which others can have their turn: of the longest conversation it takes seconds. */
export function* segmentInSteps(
  utterances: Utterance[],
  { context = '', moments, transitions = [] }: SegmentationOptions,
  weights: StructureWeights,
): Generator<void, ConversationSegmentation> {
  const focus = focusStems(context, DEFAULT_LANGUAGE);
  const reading = yield* analyseStructure(utterances, { moments, transitions, focus }, weights, DEFAULT_LANGUAGE);
  const outcomes = outcomesOf(moments ?? [], utterances, DEFAULT_LANGUAGE);
  return yield* describeSegmentation(reading, outcomes, moments ?? [], transitions);
}

/** The phases of a conversation in words, in steps. */
export function* describeSegmentation(
  reading: ConversationStructure,
  outcomes: Outcomes,
  moments: MomentEvent[],
  transitions: TransitionEvent[],
): Generator<void, ConversationSegmentation> {
  const { utterances, phases: purposes } = reading;
  if (purposes.length === 0)
    return {
      phases: [],
      total_phases: 0,
      segmentation_rationale: 'Nothing was said.',
      narrative_arc: 'Nothing was said.',
      key_transitions: [],
    };
  const summaries: string[] = [];
  for (const purpose of purposes) {
    summaries.push(summaryOf(purpose, reading));
    yield;
  }
  const momentsOf = groupBy(utterances, purposes, moments, (m) => m.utterance_ids[0]);
  const transitionsOf = groupBy(utterances, purposes, transitions, (t) => t.evidence_utterance_ids.at(-1));
  const names = purposes.map(nameOf);
  const signals = purposes.map(({ signal }) => (signal ? describeSignal(signal) : null));
  const phases = purposes.map((purpose, i): ConversationPhase => {
    const part = utterances.slice(purpose.from, purpose.to);
    return {
      phase_id: `phase_${i}`,
      phase_name: names[i]!,
      start_timestamp: rounded(part[0]!.t_start),
      end_timestamp: rounded(part.reduce((end, u) => Math.max(end, u.t_end), 0)),
      start_utterance_id: part[0]!.utterance_id,
      end_utterance_id: part.at(-1)!.utterance_id,
      utterance_count: part.length,
      theme: themeOf(purpose),
      summary: summaries[i]!,
      emotional_tone: purpose.tone.word,
      key_moments: keyMoments(momentsOf[i]!, transitionsOf[i]!),
      transition_signal: signals[i]!,
    };
  });
  return {
    phases,
    total_phases: phases.length,
    segmentation_rationale: rationale(purposes),
    narrative_arc: narrativeArc(purposes, names, outcomes),
    key_transitions: phases.slice(1).map((phase, i) => ({
      timestamp: phase.start_timestamp,
      from_phase: phases[i]!.phase_name,
      to_phase: phase.phase_name,
      trigger: phase.transition_signal ?? '',
    })),
  };
}

/** Splits events among phases by the utterance each rests on; what names no known utterance is left out. */
function groupBy<T>(
  utterances: Utterance[],
  purposes: Phase[],
  events: T[],
  idOf: (event: T) => string | undefined,
): T[][] {
  const phaseOf = new Map<string, number>();
  purposes.forEach((p, phase) => {
    for (let u = p.from; u < p.to; u++) phaseOf.set(utterances[u]!.utterance_id, phase);
  });
  const out: T[][] = purposes.map(() => []);
  for (const event of events) {
    const phase = phaseOf.get(idOf(event) ?? '');
    if (phase !== undefined) out[phase]!.push(event);
  }
  return out;
}

const themeOf = ({ topics }: Phase): string => (topics.length > 0 ? topics.map((t) => t.surface).join(', ') : NO_TOPIC);

/** What was said there: the one or two sentences that tell most. */
function summaryOf(
  { from, to }: Phase,
  { utterances, turns, sentencesOf, speakers, focus }: ConversationStructure,
): string {
  const sentences = salientTurns(turns, from, to).flatMap((turn) => sentencesOf(turn));
  const value = salience(sentences, turns, focus);
  let picked = pickSentences(sentences, value, to - from >= TWO_QUOTES ? 2 : 1);
  if (picked.length === 0) picked = sentences.slice(0, 1);
  const first = utterances[from]!;
  if (picked.length === 0 && first.text.trim() !== '')
    return ended(`${first.speaker} says: ${quoted(first.text.trim(), QUOTE_WORDS)}`);
  if (picked.length === 0) return 'No words were understood here.';
  return picked.map((s) => note(s, QUOTE_WORDS, otherOf(s.speaker, speakers))).join(' ');
}

function keyMoments(moments: MomentEvent[], transitions: TransitionEvent[]): string[] {
  const told = [
    ...withoutRepeats(moments).map((m) => ({ at: m.start_ms, weight: m.confidence, text: m.summary })),
    ...transitions
      .filter((t) => t.stability === 'final')
      .map((t) => ({
        at: t.at_ms,
        weight: t.confidence / 2,
        text: `${t.speaker_id ?? 'The conversation'} turns from ${t.from_state} to ${t.to_state}`,
      })),
  ];
  return told
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, MAX_KEY_MOMENTS)
    .sort((a, b) => a.at - b.at)
    .map((m) => m.text);
}
