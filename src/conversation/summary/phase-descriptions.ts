import type {
  ConversationSegmentation,
  ConversationSetting,
  MomentEvent,
  TransitionEvent,
} from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import type { Language } from '../language.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { type Outcomes, outcomesOf, withoutRepeats } from '../outcomes.ts';
import {
  analyseStructure,
  type ConversationStructure,
  type StructureWeights,
} from '../phases/conversation-structure.ts';
import type { PhaseSignal } from '../phases/phase-signals.ts';
import type { Phase } from '../phases/phases.ts';
import { joined, type Spans, textOf } from '../sentences/spans.ts';
import { finished, STEP_CHARS } from '../steps.ts';
import { shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { focusStems } from '../topics/topic-words.ts';
import { loneVoice } from '../turn-taking/lone-voice.ts';
import { isBetweenPeople, settingOf } from '../turn-taking/setting.ts';
import { readable } from '../unread.ts';
import { mapSegmentation, type PhaseOf, type SegmentationOf } from './findings-of.ts';
import { idsIn } from './material.ts';
import { spansOfMoment } from './moment-descriptions.ts';
import { narrativeArc, rationale } from './narrative.ts';
import { pickSentences, salience, salientTurns } from './salience.ts';
import { remarkOf } from './wording.ts';

/** Additional facts about a conversation that is divided into phases. */
export interface SegmentationOptions {
  /** The caller's focus, which decides which theme is named first. */
  context?: string;
  moments?: MomentEvent[];
  transitions?: TransitionEvent[];
  language?: Language;
}

/** Limit on the words of a quote in a phase's summary. */
const QUOTE_WORDS = 28;
/** Limit on the words of the quote in a phase's signal. */
const SIGNAL_WORDS = 12;
/** Limit on the key moments listed in one phase. */
const MAX_KEY_MOMENTS = 6;
/** Minimum number of utterances for a phase's summary to quote two sentences. */
const TWO_QUOTES = 4;

/**
 * Divides a conversation into phases without gaps or overlaps, and names each.
 * @param utterances in order of `t_start`.
 * @returns no phases if there are no utterances; otherwise at least one, each with at least one utterance
 */
export function segmentConversation(
  utterances: Utterance[],
  options: SegmentationOptions,
  weights: StructureWeights,
): ConversationSegmentation {
  return finished(segmentInSteps(utterances, options, weights));
}

/** `segmentConversation` in steps, so that other work can run in between. The longest conversation takes seconds. */
export function* segmentInSteps(
  given: Utterance[],
  { context = '', moments, transitions = [], language = DEFAULT_LANGUAGE }: SegmentationOptions,
  weights: StructureWeights,
): Generator<void, ConversationSegmentation> {
  const focus = focusStems(context, language);
  const utterances = given.map(readable);
  const structure = yield* analyseStructure(utterances, { moments, transitions, focus }, weights, language);
  const setting = settingOf(utterances, language, loneVoice(utterances, language));
  const outcomes = outcomesOf((isBetweenPeople(setting) && moments) || [], utterances, language);
  const found: PhaseFindings = { setting, outcomes, moments: moments ?? [], transitions };
  return mapSegmentation(yield* describeSegmentation(structure, found), textOf);
}

/** The input for describing phases, other than their utterances. */
export interface PhaseFindings {
  setting: ConversationSetting;
  outcomes: Outcomes;
  moments: MomentEvent[];
  transitions: TransitionEvent[];
}

/** The phases of a conversation described in words, in steps. */
export function* describeSegmentation(
  structure: ConversationStructure,
  { setting, outcomes, moments, transitions }: PhaseFindings,
): Generator<void, SegmentationOf<Spans>> {
  const { utterances, phases, turns } = structure;
  const { language } = turns;
  const { phases: say, overview } = language.sentences;
  if (phases.length === 0)
    return {
      phases: [],
      total_phases: 0,
      segmentation_rationale: overview.nothingSaid(),
      narrative_arc: overview.nothingSaid(),
      key_transitions: [],
    };
  const summaries: Spans[] = [];
  for (const phase of phases) {
    summaries.push(yield* summaryOf(phase, structure));
    yield;
  }
  const momentsOf = groupBy(utterances, phases, moments, (m) => m.utterance_ids[0]);
  const transitionsOf = groupBy(utterances, phases, transitions, (t) => t.evidence_utterance_ids.at(-1));
  const names = phases.map(say.name);
  const described = phases.map((phase, i): PhaseOf<Spans> => {
    const part = utterances.slice(phase.from, phase.to);
    const first = part[0]!;
    return {
      phase_id: `phase_${i}`,
      phase_name: names[i]!,
      start_timestamp: rounded(first.t_start),
      end_timestamp: rounded(part.reduce((end, u) => Math.max(end, u.t_end), 0)),
      start_utterance_id: first.utterance_id,
      end_utterance_id: part.at(-1)!.utterance_id,
      utterance_count: part.length,
      theme: say.theme(phase.topics.map((t) => t.surface)),
      summary: summaries[i]!,
      emotional_tone: phase.tone.word && say.tone(phase.tone.word),
      key_moments: keyMoments(momentsOf[i]!, transitionsOf[i]!, language),
      transition_signal: phase.signal ? describeSignal(phase.signal, first.utterance_id, language) : null,
    };
  });
  return {
    phases: described,
    total_phases: described.length,
    segmentation_rationale: rationale(phases, language),
    narrative_arc: narrativeArc({ setting, phases, names: names.map(textOf), outcomes }, language),
    key_transitions: described.slice(1).map((phase, i) => ({
      timestamp: phase.start_timestamp,
      from_phase: described[i]!.phase_name,
      to_phase: phase.phase_name,
      trigger: phase.transition_signal ?? [],
    })),
  };
}

/**
 * The signal with which a phase begins.
 * @param utterance_id of its first utterance
 */
function describeSignal(signal: PhaseSignal, utterance_id: string, language: Language): Spans {
  const { phases: say } = language.sentences;
  switch (signal.by) {
    case 'announcement':
    case 'question':
    case 'purpose':
      return say.signal({
        ...signal,
        quote: { quote: shorten(signal.sentence, SIGNAL_WORDS, language), utterance_id },
      });
    case 'floor':
      return say.signal({ ...signal, topic: signal.topic?.surface });
    case 'topic':
      return say.signal({ by: 'topic', from: signal.from.surface, to: signal.to.surface });
    default:
      return say.signal(signal);
  }
}

/** Divides events among phases by the utterance that each is based on. Events of unknown utterances are left out. */
function groupBy<T>(
  utterances: Utterance[],
  phases: Phase[],
  events: T[],
  idOf: (event: T) => string | undefined,
): T[][] {
  const phaseOf = new Map<string, number>();
  phases.forEach((p, phase) => {
    for (let u = p.from; u < p.to; u++) phaseOf.set(utterances[u]!.utterance_id, phase);
  });
  const out: T[][] = phases.map(() => []);
  for (const event of events) {
    const phase = phaseOf.get(idOf(event) ?? '');
    if (phase !== undefined) out[phase]!.push(event);
  }
  return out;
}

/** The one or two most salient sentences of a phase. */
function* summaryOf(
  { from, to }: Phase,
  { utterances, turns, sentencesOf, speakers, focus }: ConversationStructure,
): Generator<void, Spans> {
  const { language } = turns;
  const { remarks, phases: say } = language.sentences;
  const sentences: SpokenSentence[] = [];
  let unread = STEP_CHARS;
  for (const turn of salientTurns(turns, from, to)) {
    for (const sentence of sentencesOf(turn)) sentences.push(sentence);
    unread -= turns.texts[turn]!.length;
    if (unread > 0) continue;
    unread = STEP_CHARS;
    yield;
  }
  const value = salience(sentences, turns, focus);
  let picked = pickSentences(sentences, value, to - from >= TWO_QUOTES ? 2 : 1);
  if (picked.length === 0) picked = sentences.slice(0, 1);
  const { speaker, text, utterance_id } = utterances[from]!;
  if (picked.length === 0 && text.trim() !== '')
    return remarks.says({ speaker, quote: { quote: shorten(text.trim(), QUOTE_WORDS, language), utterance_id } });
  if (picked.length === 0) return say.noWords();
  const lines = picked.map((s) =>
    remarks.remark(remarkOf(s, QUOTE_WORDS, { speakers, language, idsOf: idsIn(utterances) })),
  );
  return joined(lines, ' ');
}

function keyMoments(moments: MomentEvent[], transitions: TransitionEvent[], language: Language): Spans[] {
  const { phases: say } = language.sentences;
  const all = [
    ...withoutRepeats(moments).map((m) => ({ at: m.start_ms, weight: m.confidence, line: spansOfMoment(m, language) })),
    ...transitions
      .filter((t) => t.stability === 'final')
      .map((t) => ({
        at: t.at_ms,
        weight: t.confidence / 2,
        line: say.stateChange({ speaker: t.speaker_id, from: t.from_state, to: t.to_state }),
      })),
  ];
  return all
    .sort((a, b) => b.weight - a.weight || a.at - b.at)
    .slice(0, MAX_KEY_MOMENTS)
    .sort((a, b) => a.at - b.at)
    .map((m) => m.line);
}
