import type {
  AnalysisResponse,
  Commitment,
  ConversationPhase,
  Mishearing,
  MomentCategory,
  MomentEvent,
  Pad,
  Prosody,
  SummaryEvidence,
  TimelineEntry,
  TransitionEvent,
} from '../../sdk/wire.ts';
import { speakerName } from '../lib/speaker-names.ts';

type FeltKey =
  | ('emotion' | 'emotions' | 'dominant_emotion' | 'cognitive' | 'cognitive_signals' | 'load_level')
  | ('commitment_score' | 'commitment_level' | 'passion_score' | 'passion_level')
  | ('conviction_score' | 'conviction_level');
/** The affect members of an utterance, all present. */
export type Felt = { [K in FeltKey]: NonNullable<TimelineEntry[K]> };

const FELT: readonly FeltKey[] = [
  ...(['emotion', 'emotions', 'dominant_emotion', 'cognitive', 'cognitive_signals', 'load_level'] as const),
  ...(['commitment_score', 'commitment_level', 'passion_score', 'passion_level'] as const),
  ...(['conviction_score', 'conviction_level'] as const),
];
const isFelt = (entry: TimelineEntry): entry is TimelineEntry & Felt => FELT.every((key) => entry[key] !== null);

/** An utterance as the page draws it. Times are in seconds, shares from 0 to 1. */
export interface UtteranceLine {
  index: number;
  entry: TimelineEntry;
  /** Index of the speaker. */
  speaker: number;
  start: number;
  end: number;
  text: string;
  /** Undefined when affect was not computed, or when the user hid it. */
  tone: Pad | undefined;
  /** The other affect members. Either all of them are present or none. */
  felt: Felt | undefined;
  /** Confidence of the recognised words. */
  heard: number;
  /** Undefined when the audio could not be measured. */
  voice: Prosody | undefined;
  /** Whether the voice can be compared with what is usual for its speaker. */
  isComparable: boolean;
  /** The position of each word in the text, and its time. */
  words: readonly WordSpan[];
}

export interface WordSpan {
  from: number;
  to: number;
  at: number;
  confidence: number;
}

/** The place of a moment or a promise in the conversation. */
interface Placed {
  id: string;
  speaker: number;
  line: number;
  at: number;
  quote: string;
  confidence: number;
}

export interface MomentPin extends Placed {
  moment: MomentEvent;
  category: MomentCategory;
  /** Pins that answer this offer. */
  answers: MomentPin[];
  /** The pin of the offer that this pin settles. */
  offer: MomentPin | undefined;
}

/** A promise at the utterance in which its owner made it. */
export interface PromisePin extends Placed {
  promise: Commitment;
  /** The line of another speaker who asked for it; undefined where the owner was not asked. */
  request: number | undefined;
  category: 'promise';
}

/** A sign on the timeline and beside its utterance. */
export type Pin = MomentPin | PromisePin;

export interface ShownPhase {
  /** Its number, from 1. */
  nth: number;
  /** Empty where it has neither a purpose nor a clear topic. */
  name: string;
  /** Its topics; empty where none stands out. */
  theme: string;
  start: number;
  end: number;
  firstLine: number;
  source: ConversationPhase;
}

export interface ToneShift {
  source: TransitionEvent;
  at: number;
  speaker: number | undefined;
  lines: number[];
}

/** A line of the summary, and the utterances that support it. */
export interface SummaryClaim {
  text: string;
  lines: number[];
  /** Whether the summary contains this line word for word. Only such lines can be rated. */
  isOfSummary: boolean;
}

/** Sound levels of the recording by channel, 0 to 255. There are `rate` of them per second. */
export interface SoundLevels {
  rate: number;
  channels: Uint8Array[];
}

/** Confidence below which words are described as hard to hear. */
const HARD = 0.5;
/** Confidence below which a voice is not judged. */
const POORLY_MEASURED = 0.5;
/**
 * Number of measured utterances from which there is something usual for a speaker. Of one or two, the utterance that is
 * compared is itself most of what is usual.
 */
export const LEAST_FOR_USUAL = 3;

/** Everything that the pages of one conversation show. It is computed once. */
export interface ConversationView {
  id: string;
  result: AnalysisResponse;
  duration: number;
  /** Labels in the order in which the speakers first speak. */
  labels: string[];
  names: string[];
  lines: UtteranceLine[];
  pins: MomentPin[];
  promises: PromisePin[];
  /** Moments and promises in order of time. */
  signs: Pin[];
  phases: ShownPhase[];
  shifts: ToneShift[];
}

/** The suggestions for words of a line that were probably misheard and are still there. */
export const mishearingsOf = ({ result }: ConversationView, { entry, text }: UtteranceLine): Mishearing[] =>
  (result.summary.mishearings ?? []).filter(
    ({ utterance_id, heard }) => utterance_id === entry.utterance_id && text.includes(heard),
  );

export const isHard = (line: UtteranceLine): boolean => line.heard < HARD || line.entry.unread === 'not_understood';
/** Whether enough of the voice was measured to judge it. */
export const isWellMeasured = ({ voice }: UtteranceLine): boolean =>
  voice !== undefined && voice.confidence >= POORLY_MEASURED;
/** Whether it is drawn hollow, because its words are uncertain or it contains too little voice. */
export const isHollow = (line: UtteranceLine): boolean =>
  line.heard < HARD || (line.voice !== undefined && !isWellMeasured(line));

/** Confidence below which the number of speakers is described as uncertain. */
const UNCERTAIN_SPEAKERS = 0.6;
export const areSpeakersUncertain = ({ result }: ConversationView): boolean =>
  result.speakers.confidence < UNCERTAIN_SPEAKERS;

/** Whether the audio of any utterance could be measured. Without it, tone comes from the words alone. */
export const isMeasured = ({ lines }: ConversationView): boolean => lines.some((line) => line.voice);

/** Number of a speaker's utterances whose voice was measured well. */
export const measuredOf = ({ lines }: Pick<ConversationView, 'lines'>, speaker: number): number =>
  lines.filter((line) => line.speaker === speaker && isWellMeasured(line)).length;

/** A result with edits applied. A named speaker has the name in place of the label. */
export function conversationOf(result: AnalysisResponse): ConversationView {
  const labels = [...new Set(result.timeline.map((entry) => entry.speaker))];
  const indexOf = new Map(labels.map((label, index) => [label, index]));
  const lines = result.timeline.map((entry, index): UtteranceLine => lineOf(entry, index, indexOf.get(entry.speaker)!));
  const measured = labels.map((_, speaker) => measuredOf({ lines }, speaker));
  for (const line of lines) line.isComparable = measured[line.speaker]! >= LEAST_FOR_USUAL;
  const byId = new Map(lines.map((line) => [line.entry.utterance_id, line.index]));
  const linesOf = (ids: readonly string[]): number[] => ids.flatMap((id) => byId.get(id) ?? []);
  const { phases } = result.segmentation;
  const phaseNames = phases.map(({ phase_name: name }) =>
    name === UNNAMED ? '' : name.replace(/^(?:Discussion|Account|Questions): /, ''),
  );
  const pins = pinsOf(result.moments, byId, indexOf);
  const promises = (result.commitments ?? []).flatMap((promise) => promiseOf(promise, lines, byId, indexOf) ?? []);
  return {
    id: result.conversation_id,
    result,
    duration: Math.max(result.media.duration_s, lines.at(-1)?.end ?? 0),
    labels,
    names: labels.map((label, index) => speakerName(label, index)),
    lines,
    pins,
    promises,
    signs: [...pins, ...promises].sort((a, b) => a.at - b.at),
    phases: phases.map((source, i) => ({
      nth: i + 1,
      name: phaseNames[i]!,
      theme: phaseNames[i] === '' || source.theme === NO_TOPIC ? '' : source.theme,
      start: source.start_timestamp,
      end: source.end_timestamp,
      firstLine: byId.get(source.start_utterance_id) ?? 0,
      source,
    })),
    shifts: result.transitions.map((source) => ({
      source,
      at: source.at_ms / 1000,
      speaker: source.speaker_id === undefined ? undefined : indexOf.get(source.speaker_id),
      lines: linesOf(source.evidence_utterance_ids),
    })),
  };
}

/** The service's name of a phase that has neither a purpose nor a sure topic, and its theme where no word stands out. */
const UNNAMED = 'No clear topic';
const NO_TOPIC = 'no topic of its own';

/** The name of a phase without one, in lists. */
export const NAMELESS = 'no clear topic';

/** A phase in words: "Phase 2 Pricing", "Phase 3". */
export const phaseWords = ({ nth, name }: ShownPhase): string => `Phase ${nth} ${name}`.trimEnd();

function lineOf(entry: TimelineEntry, index: number, speaker: number): UtteranceLine {
  let words: readonly WordSpan[] | undefined;
  return {
    index,
    entry,
    speaker,
    start: entry.t_start,
    end: entry.t_end,
    text: entry.text,
    tone: entry.pad_scores ?? undefined,
    felt: isFelt(entry) ? entry : undefined,
    heard: entry.asr_confidence,
    voice: 'pitch_hz' in entry.prosody ? (entry.prosody as Prosody) : undefined,
    isComparable: false,
    // Computed on demand, because most of them are never needed and there can be two thousand lines.
    get words() {
      words ??= wordSpans(entry);
      return words;
    },
  };
}

/** The words of the text. Each has the time of its recognised word, or else a share of the utterance's time. */
function wordSpans(entry: TimelineEntry): WordSpan[] {
  const spans: WordSpan[] = [];
  const { words, text, t_start, t_end } = entry;
  const isTimed = words.length > 0;
  for (const match of text.matchAll(/\S+/g)) {
    const word = words[spans.length];
    const share = t_start + ((t_end - t_start) * match.index) / Math.max(1, text.length);
    spans.push({
      from: match.index,
      to: match.index + match[0].length,
      at: isTimed && word ? word.t_start : share,
      confidence: word?.confidence ?? 1,
    });
  }
  return spans;
}

function pinsOf(
  moments: readonly MomentEvent[],
  byId: ReadonlyMap<string, number>,
  indexOf: ReadonlyMap<string, number>,
): MomentPin[] {
  const pins = moments.map(
    (moment): MomentPin => ({
      id: moment.moment_id,
      moment,
      category: moment.category,
      speaker: indexOf.get(moment.speaker_id) ?? 0,
      line: byId.get(moment.utterance_ids[0]!) ?? 0,
      at: moment.start_ms / 1000,
      quote: moment.evidence[0]?.quote ?? moment.summary,
      confidence: moment.confidence,
      answers: [],
      offer: undefined,
    }),
  );
  const byMoment = new Map(pins.map((pin) => [pin.moment.moment_id, pin]));
  for (const pin of pins) {
    const offer = pin.moment.answers === undefined ? undefined : byMoment.get(pin.moment.answers);
    if (!offer) continue;
    pin.offer = offer;
    offer.answers.push(pin);
  }
  return pins.sort((a, b) => a.at - b.at);
}

/** A commitment is listed at its request, if there was one. Its owner agrees to that in the answer. */
function promiseOf(
  promise: Commitment,
  lines: readonly UtteranceLine[],
  byId: ReadonlyMap<string, number>,
  indexOf: ReadonlyMap<string, number>,
): PromisePin | undefined {
  const said = byId.get(promise.utterance_id);
  if (said === undefined) return undefined;
  const { commitment_id: id, confidence, owner } = promise;
  const speaker = (owner === null ? undefined : indexOf.get(owner)) ?? lines[said]!.speaker;
  const answer = byId.get(promise.answer_utterance_id ?? '');
  const isAskedFor = speaker !== lines[said]!.speaker;
  const own = { id, promise, category: 'promise' as const, confidence, speaker };
  return isAskedFor && answer !== undefined && lines[answer]!.speaker === speaker
    ? { ...own, request: said, line: answer, at: lines[answer]!.start, quote: lines[answer]!.text }
    : { ...own, request: undefined, line: said, at: promise.t_start, quote: promise.quote };
}

/** The last line that has begun at `t`, or -1. */
export function lineAt(lines: readonly UtteranceLine[], t: number): number {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (lines[middle]!.start <= t + 0.02) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Measures of the whole conversation. A mean or median belongs to no single second. */
const OF_ALL = ['mean_polarity', 'first_third_polarity', 'interruptions', 'response_latency_s_0'];

/** A line of the summary, and its evidence if the service lists any. */
interface EvidentLine {
  text: string;
  evidence: SummaryEvidence | undefined;
}

function claimsWith({ lines }: ConversationView, told: readonly EvidentLine[]): SummaryClaim[] {
  const byId = new Map(lines.map((line) => [line.entry.utterance_id, line.index]));
  return told.map(({ text, evidence }) => {
    const hasPlace = evidence !== undefined && !OF_ALL.some((name) => name in evidence.measures);
    return {
      text,
      isOfSummary: evidence !== undefined,
      // In the order of the conversation, whatever that of the evidence is.
      lines: hasPlace ? evidence.utterance_ids.flatMap((id) => byId.get(id) ?? []).sort((a, b) => a - b) : [],
    };
  });
}

/** The evidence of lines of the summary, which is the same for equal lines. */
export function claimsOf(conversation: ConversationView, texts: readonly string[] | null): SummaryClaim[] {
  const byText = new Map(conversation.result.summary.evidence.map((evidence) => [evidence.text, evidence]));
  return claimsWith(
    conversation,
    (texts ?? []).map((text) => ({ text, evidence: byText.get(text) })),
  );
}

/** The overview as sentences with their evidence. The service lists these sentences first, and in order. */
function sentencesOf({ result }: ConversationView): EvidentLine[] {
  const { overview, evidence: listed } = result.summary;
  const sentences: EvidentLine[] = [];
  let from = 0;
  for (const evidence of listed) {
    const { text } = evidence;
    const at = overview.indexOf(text, from);
    if (at < 0) break;
    // Text between two listed sentences has no evidence.
    const between = overview.slice(from, at).trim();
    if (between !== '') sentences.push({ text: between, evidence: undefined });
    sentences.push({ text, evidence });
    from = at + text.length;
  }
  const rest = overview.slice(from).trim();
  if (rest !== '') sentences.push({ text: rest, evidence: undefined });
  return sentences;
}

export const overviewOf = (conversation: ConversationView): SummaryClaim[] =>
  claimsWith(conversation, sentencesOf(conversation));

/** Whether a sentence says who talks, about what and for how long. Of the built-in overview alone this is known. */
const isFrame = ({ evidence }: EvidentLine): boolean =>
  evidence !== undefined && Object.keys(evidence.measures).some((name) => name.startsWith('duration_'));

/**
 * The overview: who talks about what, what else precedes the sentences on the goal, these sentences, and what follows.
 * Which sentences they are is known of the built-in overview alone; of another, all of it follows in its order. That one
 * begins with a quote, which says little to a reader who does not know yet what it is about.
 */
export function overviewByGoal(
  conversation: ConversationView,
): Record<'before' | 'onGoal' | 'after', readonly SummaryClaim[]> {
  const told = sentencesOf(conversation);
  const sentences = [...told.filter(isFrame), ...told.filter((line) => !isFrame(line))];
  const claims = claimsWith(conversation, sentences);
  const isOnGoal = ({ evidence }: EvidentLine): boolean => evidence !== undefined && 'goal' in evidence.measures;
  const from = Math.max(0, sentences.findIndex(isOnGoal));
  const to = sentences.findLastIndex(isOnGoal) + 1;
  return { before: claims.slice(0, from), onGoal: claims.slice(from, to), after: claims.slice(to) };
}
