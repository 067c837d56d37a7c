import type { MomentEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { toneOf } from '../affect/tone.ts';
import { PHASE_KINDS, type PhaseKind } from '../lexicon/phase-kinds.ts';
import type { Turns } from '../text/turns.ts';
import type { WordVectors } from '../text/word-vectors.ts';
import type { NounShares } from '../topics/noun-shares.ts';
import { calledNames, topicWords } from '../topics/topic-words.ts';
import type { PhaseEvidence } from './phase-evidence.ts';
import { cutPhaseSpans, findPhaseSpans, type PhaseSpan } from './phase-segmentation.ts';
import { type PhaseContent, type PhaseSignal, signalOf } from './phase-signals.ts';
import { mentionsNeeded, phaseTopics } from './phase-topics.ts';
import { SOCIAL, type TopicChanges } from './topicality.ts';

/** A phase before it is described in words. */
export interface Phase extends PhaseContent {
  /** The utterances from `from` up to but not including `to`. */
  from: number;
  to: number;
  /** The topic in its name. See `phaseTopics`. */
  topic: string | undefined;
  /** The signal that it begins. Undefined for the first phase. */
  signal: PhaseSignal | undefined;
}

/** Whether a phase is about the substance of the conversation rather than opening or closing it. */
export const isMatter = ({ kind }: Phase): boolean => kind !== 'opening' && kind !== 'closing';

/** Purposes that every genre has. */
const BEFORE_ANY_SUBJECT: ReadonlySet<PhaseKind> = new Set<PhaseKind>([...SOCIAL, 'introductions']);

/** Number of topic words of a phase. */
const TOPICS = 4;

/**
 * Divides a conversation into phases by purpose, and divides these where their topics change. If moments are known,
 * only a phase with an agreement is called an agreement.
 * @param moments undefined when moments were not detected
 * @param isSmallTalk stories and opinions have no purposes, only words that elsewhere show one
 */
export function segmentPhases(
  evidence: PhaseEvidence,
  topics: TopicChanges,
  utterances: Utterance[],
  moments: MomentEvent[] | undefined,
  isSmallTalk: boolean,
): PhaseSpan[] {
  const found = momentsAt(utterances, moments ?? []);
  const isFitting = ({ from, to, kind }: PhaseSpan): boolean => {
    const known = PHASE_KINDS[kind]?.kind;
    if ((known === 'opening' || known === 'closing') && !isExchange({ from, to, kind }, utterances)) return false;
    if (isSmallTalk && known && !SOCIAL.has(known)) return false;
    if (evidence.genre === 'meeting' && !fitsMeeting(kind)) return false;
    const needed = PHASE_KINDS[kind]?.moments;
    if (!moments || !needed) return true;
    return [...found].some(([at, own]) => at >= from && at < to && own.some((m) => needed.includes(m.category)));
  };
  return cutPhaseSpans(findPhaseSpans(evidence, topics, found), evidence, topics).map((stage) =>
    isFitting(stage) ? stage : { ...stage, kind: -1 },
  );
}

/**
 * Maximum words of an utterance, on average, for a phase to be an opening or a closing. They are exchanges of short
 * greetings and farewells (Schegloff & Sacks 1973), which the speeches of a hearing only contain.
 */
const EXCHANGE_WORDS = 30;

function isExchange({ from, to }: PhaseSpan, utterances: readonly Utterance[]): boolean {
  let words = 0;
  for (let i = from; i < to; i++) words += utterances[i]!.text.split(/\s+/).length;
  return to - from < utterances.length && words <= EXCHANGE_WORDS * (to - from);
}

/** In a meeting, prices and dates are subjects, not purposes of a phase. */
const fitsMeeting = (kind: number): boolean => {
  const row = PHASE_KINDS[kind];
  return !row || row.genres.includes('meeting') || BEFORE_ANY_SUBJECT.has(row.kind);
};

function momentsAt(utterances: Utterance[], moments: MomentEvent[]): Map<number, MomentEvent[]> {
  const index = new Map(utterances.map((u, i) => [u.utterance_id, i]));
  const known = moments.filter((m) => index.has(m.utterance_ids[0] ?? ''));
  return Map.groupBy(known, (m) => index.get(m.utterance_ids[0]!)!);
}

/**
 * Purpose, topics and beginning of each phase, in steps.
 * @param pauses silence before each utterance, seconds
 * @param focus stems of the caller's context or goal
 */
export function* describePhases(
  stages: readonly PhaseSpan[],
  utterances: Utterance[],
  turns: Turns,
  pauses: readonly number[],
  focus: ReadonlySet<string>,
  weights: { vectors: WordVectors; nouns: NounShares },
): Generator<void, Phase[]> {
  const called = calledNames(turns.texts, turns.language);
  yield;
  // A part is described more than once while phases are joined, and its topics take long in a long part.
  const known = new Map<string, PhaseContent>();
  const contentOf = ({ from, to, kind }: PhaseSpan): PhaseContent => {
    const key = `${from} ${to} ${kind}`;
    const content = known.get(key) ?? {
      kind: PHASE_KINDS[kind]?.kind,
      topics: topicWords(turns, from, to, focus, TOPICS, called, weights),
      tone: toneOf(utterances, from, to),
      floor: floorOf(turns, from, to),
    };
    known.set(key, content);
    return content;
  };
  const contentsOf = function* (spans: readonly PhaseSpan[]): Generator<void, PhaseContent[]> {
    const contents: PhaseContent[] = [];
    for (const span of spans) {
      contents.push(contentOf(span));
      yield;
    }
    return contents;
  };
  const mentions = mentionsNeeded(utterances.length);
  const contents = yield* contentsOf(stages);
  const joined = joinNameless(stages, contents, phaseTopics(contents, focus, mentions, isAnything));
  const nameOf = (span: PhaseSpan): string | undefined => phaseTopics([contentOf(span)], focus, mentions)[0];
  yield;
  const named = joinUnnamed(joined, stages, nameOf);
  yield;
  const stretches = yield* contentsOf(named);
  const topics = phaseTopics(stretches, focus, mentions);
  return named.map(({ from, to }, i) => {
    const before = stretches[i - 1];
    const signal = before && signalOf(before, stretches[i]!, utterances[from]!, pauses[from]!, turns.language);
    return {
      from,
      to,
      ...stretches[i]!,
      topic: topics[i],
      signal,
    };
  });
}

/**
 * The phases without those whose name would say nothing new. A phase that has neither a purpose nor a topic, or the
 * first topic of the phase before, is joined to a neighbour without a purpose.
 */
function joinNameless(
  stages: readonly PhaseSpan[],
  contents: readonly PhaseContent[],
  topics: readonly (string | undefined)[],
): PhaseSpan[] {
  const isPurposeless = (stage: PhaseSpan | undefined): boolean => stage !== undefined && stage.kind < 0;
  const subjectOf = (i: number): string | undefined => contents[i]?.topics[0]?.stem;
  const kept: PhaseSpan[] = [];
  let from: number | undefined;
  for (const [i, stage] of stages.entries()) {
    const isNameless = isPurposeless(stage) && topics[i] === undefined;
    const last = kept.at(-1);
    const isNothingNew = isNameless || (isPurposeless(stage) && subjectOf(i) === subjectOf(i - 1));
    if (isNothingNew && last && isPurposeless(last)) last.to = stage.to;
    else if (isNameless && isPurposeless(stages[i + 1])) from ??= stage.from;
    else {
      kept.push({ ...stage, from: from ?? stage.from });
      from = undefined;
    }
  }
  return kept;
}

const isAnything = (): boolean => true;

/**
 * Leaves few phases with neither a purpose nor a sure topic. Such a phase is divided where its topics change. A part of it
 * without a sure topic is joined to another such part, or to a neighbour whose topic remains sure.
 * @param stages the parts of these phases
 * @param nameOf the sure topic of a part without a purpose
 */
function joinUnnamed(
  phases: readonly PhaseSpan[],
  stages: readonly PhaseSpan[],
  nameOf: (span: PhaseSpan) => string | undefined,
): PhaseSpan[] {
  const isUnnamed = (span: PhaseSpan): boolean => span.kind < 0 && nameOf(span) === undefined;
  const parts: { span: PhaseSpan; isUnnamed: boolean }[] = [];
  for (const phase of phases)
    for (const part of isUnnamed(phase)
      ? stages.filter(({ from, to }) => from >= phase.from && to <= phase.to)
      : [phase]) {
      const last = parts.at(-1);
      const isNew = { span: { ...part }, isUnnamed: isUnnamed(part) };
      if (last?.isUnnamed && isNew.isUnnamed) last.span.to = part.to;
      else parts.push(isNew);
    }
  const keepsName = (span: PhaseSpan | undefined, longer: Partial<PhaseSpan>): span is PhaseSpan =>
    span !== undefined && span.kind < 0 && nameOf(span) === nameOf({ ...span, ...longer });
  return parts.flatMap(({ span, isUnnamed }, i) => {
    if (!isUnnamed) return [span];
    const before = parts[i - 1]?.span;
    const after = parts[i + 1]?.span;
    if (keepsName(before, { to: span.to })) before.to = span.to;
    else if (keepsName(after, { from: span.from })) after.from = span.from;
    else return [span];
    return [];
  });
}

function floorOf({ words, speakers }: Turns, from: number, to: number): Map<string, number> {
  const spoken = new Map<string, number>();
  let all = 0;
  for (let i = from; i < to; i++) {
    const own = words[i]!.length;
    spoken.set(speakers[i]!, (spoken.get(speakers[i]!) ?? 0) + own);
    all += own;
  }
  return new Map([...spoken].map(([who, own]) => [who, own / Math.max(1, all)]));
}
