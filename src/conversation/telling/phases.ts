import type {
  ConversationPhase,
  ConversationSegmentation,
  MomentEvent,
  TransitionEvent,
} from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { toldOnce } from '../outcomes.ts';
import { type Purpose, purposesOf, stagesOf } from '../purposes/purposes.ts';
import { readEvidence } from '../purposes/stage-evidence.ts';
import { findBoundaries } from '../topics/boundaries.ts';
import { boundaryHints, pausesBefore } from '../topics/hints.ts';
import { focusStems, NO_TOPIC } from '../topics/topic-words.ts';
import type { SegmentationWeights } from '../weights.ts';
import { readSentences, type Sentence } from '../words/sentences.ts';
import type { Turns } from '../words/turns.ts';
import { narrativeArc, rationale } from './narrative.ts';
import { namePhases } from './phase-names.ts';
import { pickSentences, salience, tellingTurns } from './salience.ts';
import { tellSignal } from './signals.ts';
import { ended, note, otherOf, quoted } from './wording.ts';

/** What else is known about the conversation when it is cut into phases. */
export interface SegmentationOptions {
  /** Focus named by the caller of `/segment/conversation`; steers which theme is named first. */
  context?: string;
  /** The client's analysis focus; same effect as `context`. */
  goal?: string;
  moments?: MomentEvent[];
  transitions?: TransitionEvent[];
}

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
  weights: SegmentationWeights,
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
  options: SegmentationOptions,
  weights: SegmentationWeights,
): Generator<void, ConversationSegmentation> {
  const { context = '', goal = '', moments = [], transitions = [] } = options;
  if (utterances.length === 0)
    return {
      phases: [],
      total_phases: 0,
      segmentation_rationale: 'Nothing was said.',
      narrative_arc: 'Nothing was said.',
      key_transitions: [],
    };
  const focus = focusStems(`${context} ${goal}`);
  const pauses = pausesBefore(utterances);
  const hints = boundaryHints(utterances, pauses, moments, transitions);
  const { turns, ...topics } = findBoundaries(utterances, weights, hints);
  yield;
  const evidence = readEvidence(turns);
  yield;
  const stages = stagesOf(evidence, topics, utterances, moments);
  yield;
  const sentences = stages.map(({ from, to }) => readSentences(turns, tellingTurns(turns, from, to)));
  yield;
  const drafts = purposesOf(stages, utterances, turns, pauses, focus, weights);
  yield;
  const momentsOf = groupBy(utterances, drafts, moments, (m) => m.utterance_ids[0]);
  const transitionsOf = groupBy(utterances, drafts, transitions, (t) => t.evidence_utterance_ids.at(-1));
  const names = namePhases(drafts, focus);
  const signals = drafts.map(({ signal }) => (signal ? tellSignal(signal) : null));
  const phases = drafts.map((draft, i): ConversationPhase => {
    const part = utterances.slice(draft.from, draft.to);
    return {
      phase_id: `phase_${i}`,
      phase_name: names[i]!,
      start_timestamp: rounded(part[0]!.t_start),
      end_timestamp: rounded(part.reduce((end, u) => Math.max(end, u.t_end), 0)),
      start_utterance_id: part[0]!.utterance_id,
      end_utterance_id: part.at(-1)!.utterance_id,
      utterance_count: part.length,
      theme: themeOf(draft),
      summary: summaryOf(draft, sentences[i]!, turns, utterances, focus),
      emotional_tone: draft.tone.word,
      key_moments: keyMoments(momentsOf[i]!, transitionsOf[i]!),
      transition_signal: signals[i]!,
    };
  });
  return {
    phases,
    total_phases: phases.length,
    segmentation_rationale: rationale(drafts, signals),
    narrative_arc: narrativeArc(drafts, names, moments),
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
  drafts: Purpose[],
  events: T[],
  idOf: (event: T) => string | undefined,
): T[][] {
  const phaseOf = new Map<string, number>();
  drafts.forEach((d, phase) => {
    for (let u = d.from; u < d.to; u++) phaseOf.set(utterances[u]!.utterance_id, phase);
  });
  const out: T[][] = drafts.map(() => []);
  for (const event of events) {
    const phase = phaseOf.get(idOf(event) ?? '');
    if (phase !== undefined) out[phase]!.push(event);
  }
  return out;
}

const themeOf = (draft: Purpose): string =>
  draft.topics.length > 0 ? draft.topics.map((t) => t.surface).join(', ') : NO_TOPIC;

/** What was said there: the one or two sentences that tell most. */
function summaryOf(
  draft: Purpose,
  sentences: Sentence[],
  turns: Turns,
  utterances: Utterance[],
  focus: ReadonlySet<string>,
): string {
  const value = salience(sentences, turns, focus);
  let picked = pickSentences(sentences, value, draft.to - draft.from >= TWO_QUOTES ? 2 : 1);
  if (picked.length === 0) picked = sentences.slice(0, 1);
  const first = utterances[draft.from]!;
  if (picked.length === 0 && first.text.trim() !== '')
    return ended(`${first.speaker} says: ${quoted(first.text.trim(), QUOTE_WORDS)}`);
  if (picked.length === 0) return 'No words were understood here.';
  const speakers = [...new Set(turns.speakers)];
  return picked.map((s) => note(s, QUOTE_WORDS, otherOf(s.speaker, speakers))).join(' ');
}

function keyMoments(moments: MomentEvent[], transitions: TransitionEvent[]): string[] {
  const told = [
    ...toldOnce(moments).map((m) => ({ at: m.start_ms, weight: m.confidence, text: m.summary })),
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
