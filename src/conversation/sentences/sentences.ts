import type { AffectState, ConversationSetting, MomentCategory } from '../../contract/findings.ts';
import type { Unread } from '../../contract/timeline.ts';
import type { ToneName } from '../affect/tone.ts';
import type { Genre, PhaseKind } from '../lexicon/phase-kinds.ts';
import type { Quote, Spans } from './spans.ts';

/** The sentences about a conversation in one language. Each is a function of facts. */
export interface Sentences {
  readonly remarks: RemarkSentences;
  readonly overview: OverviewSentences;
  readonly outcomes: OutcomeSentences;
  readonly verdict: VerdictSentences;
  readonly quality: QualitySentences;
  readonly patterns: PatternSentences;
  readonly tips: TipSentences;
  readonly insights: InsightSentences;
  readonly phases: PhaseSentences;
  readonly narrative: NarrativeSentences;
}

/** Words of a speaker. */
export interface Quoted {
  speaker: string;
  /** Several if a sentence extends over several utterances. */
  quote: Quote | Spans;
}

/** A sentence of a speaker. */
export interface Remark extends Quoted {
  /** The only other speaker. Undefined if there are several. */
  listener: string | undefined;
  /** The whole sentence, cleaned. The quote may be shorter. */
  text: string;
  asks: boolean;
  /** Whether it is short enough, and was recognised well enough, to be put into the third person. */
  isClear: boolean;
  /** The dialogue act of the quote. */
  act: () => RemarkAct;
}

export interface RemarkAct {
  /** Log-odds of an offer. */
  offer: number;
  /** Whether it gives something to the other side. Other offers are suggestions. */
  gives: boolean;
  /** Whether it commits the speaker to something. */
  commits: boolean;
}

export interface RemarkSentences {
  /** In the third person if that is safe, and quoted otherwise. */
  remark(remark: Remark): Spans;
  answered(question: Remark, answer: Quoted): Spans;
  /** A quote with no known facts about its words. */
  says(quoted: Quoted): Spans;
}

/** The length of a conversation in a suitable unit. */
export interface ConversationLength {
  value: number;
  unit: 's' | 'min' | 'h';
}

export interface OverviewSentences {
  nothingSaid(): Spans;
  /** States why the words of a conversation do not permit conclusions. */
  unread(reason: Unread): Spans;
  /** States the setting of a recording that is not a conversation between people. */
  setting(setting: Exclude<ConversationSetting, 'conversation' | 'single_voice'>): Spans;
  goalNotDiscussed(goal: string): Spans;
  /** @param line the first sentence on the goal */
  onGoal(goal: string, line: Spans): Spans;
  /** @param lines what may answer the goal, best first; none if nothing comes near enough */
  mayAnswerGoal(goal: string, lines: readonly Spans[]): Spans;
  /** @param line the outcome of a proposal, where the goal asks for outcomes */
  settledOnGoal(goal: string, line: Spans): Spans;
  /**
   * @param speakers their number, if there are too many to list; `course` lists the stages that the conversation went
   * through; `isPurposeUnknown` if no sentence says what it was for
   */
  frame(facts: {
    setting: ConversationSetting;
    speakers: readonly string[] | number;
    genre: Genre;
    length: ConversationLength;
    topics: readonly string[];
    course: readonly string[];
    isPurposeUnknown: boolean;
  }): Spans;
}

export interface OutcomeSentences {
  answerToQuestion(facts: Quoted & { question: Quoted['quote']; isChoice: boolean }): Spans;
  answerToProposal(facts: Quoted & { proposal: Quoted; isYes: boolean }): Spans;
  unresolvedObjection(objection: Quoted): Spans;
  openPromise(promise: Quoted): Spans;
}

/** An objection and its reason: price, timing, authority, need, trust, competitor or technical; '' if none is known. */
export interface ObjectionFacts extends Quoted {
  ground: string;
}

export interface VerdictSentences {
  choice(speaker: string, quotes: readonly Quoted['quote'][]): Spans;
  proposalAccepted(facts: { speaker: string; proposal: Quoted; on: 'time' | 'price' | 'other' }): Spans;
  keepTime(speaker: string, proposal: Quoted['quote']): Spans;
  objectionOvercome(objection: ObjectionFacts): Spans;
  rejection(answer: Quoted, proposal: Quoted['quote']): Spans;
  objectionUnresolved(objection: ObjectionFacts): Spans;
  remedy(objection: ObjectionFacts): Spans;
  praise(facts: Quoted & { isAtEnd: boolean }): Spans;
  complaint(quoted: Quoted): Spans;
  keepPromise(promise: Quoted): Spans;
  /** @param other the only other speaker; undefined if there are several */
  shareTalk(facts: { speaker: string; percent: number; other: string | undefined }): Spans;
}

export interface QualitySentences {
  accepted(count: number): Spans;
  declined(count: number): Spans;
  unresolved(count: number): Spans;
  /** Mean polarity of the first and the last third, -1..1. */
  sentimentChange(first: number, last: number): Spans;
  meanSentiment(polarity: number): Spans;
  interruptions(count: number): Spans;
  praise(): Spans;
  complaint(): Spans;
}

export interface PatternSentences {
  /** @param monologue the longest one, seconds, if it is worth mentioning */
  dominance(facts: { speaker: string; percent: number; monologue: number | undefined }): Spans;
  questions(facts: { speaker: string; own: number; all: number }): Spans;
  interruptions(speaker: string, count: number): Spans;
  slowAnswers(medians: readonly { speaker: string; seconds: number }[]): Spans;
  silence(percent: number): Spans;
  hedging(speaker: string, perHundredWords: number): Spans;
}

export interface TipSentences {
  dominance(speaker: string, percent: number): Spans;
  monologue(speaker: string, seconds: number): Spans;
  interruptions(speaker: string, count: number): Spans;
  pace(speaker: string, wordsPerMinute: number): Spans;
}

export type HotspotSignal = 'confused' | 'uncertain' | 'disengaged' | 'load';

/** A change of affective state: a speaker's or, if undefined, the whole conversation's. */
export interface StateChange {
  speaker: string | undefined;
  from: AffectState;
  to: AffectState;
}

export interface InsightSentences {
  moment(facts: Quoted & { category: MomentCategory; labels: readonly string[] }): Spans;
  transition(change: StateChange & { isLasting: boolean }): Spans;
  hotspot(facts: Quoted & { signal: HotspotSignal; score: number }): Spans;
}

/** The signal that begins a phase. */
export type PhaseSignalFacts =
  | ({ by: 'announcement' | 'question' } & Quoted)
  | ({ by: 'purpose'; kind: PhaseKind } & Quoted)
  | { by: 'silence' | 'wording'; speaker: string }
  | { by: 'floor'; from: string; to: string; topic: string | undefined }
  | { by: 'mood'; from: ToneName; to: ToneName }
  | { by: 'topic'; from: string; to: string };

export interface PhaseSentences {
  /** The name of a phase as a title, by its kind and its topic. One with neither is said to have no clear topic. */
  name(facts: { kind: PhaseKind | undefined; topic: string | undefined }): Spans;
  /** The name of a kind within a sentence. */
  kind(kind: PhaseKind): string;
  theme(topics: readonly string[]): Spans;
  tone(name: ToneName): string;
  noWords(): Spans;
  /** A lasting change of state in the list of a phase's key moments. */
  stateChange(change: StateChange): Spans;
  signal(signal: PhaseSignalFacts): Spans;
}

/** The difference between the mean tones of the last and the first phase. */
export type ToneCourse =
  | { change: 'single' | 'none'; tone: ToneName }
  | { change: 'little' | 'brighter' | 'darker'; from: ToneName; to: ToneName };

export interface NarrativeSentences {
  singlePhase(topics: readonly string[]): Spans;
  /** The reason why the conversation was divided at these places. */
  division(facts: {
    purposeChanges: boolean;
    topicChanges: readonly (readonly [from: string, to: string])[];
    boundaries: number;
    /** Number of phases that begin with each signal, in the listed order. */
    signals: readonly { by: PhaseSignalFacts['by']; count: number }[];
  }): Spans;
  /**
   * @param names of the phases that have one; for a long conversation the first and the last, around `omitted` others;
   * `phases` is the number of all phases
   */
  course(facts: { names: readonly string[]; omitted: number; last: readonly string[]; phases: number }): Spans;
  /** @param phases the number of all phases, of which `named` share a purpose, or a topic if they have no purpose */
  stays(facts: { kind: PhaseKind | undefined; topics: readonly string[]; named: number; phases: number }): Spans;
  tone(course: ToneCourse): Spans;
  objection(speaker: string, ground: string | undefined): Spans;
  ending(facts: { speaker: string; isAccepted: boolean }): Spans;
}
