import type { ConversationSummary, MomentEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { polarityOf } from '../affect/states.ts';
import type { Settled } from '../outcomes.ts';
import type { Spans } from '../sentences/spans.ts';
import type { SummaryMaterial } from './material.ts';

/** The quality of a conversation, with reasons. */
export interface QualityRating {
  quality: ConversationSummary['conversation_quality'];
  reasons: Spans[];
}

/** Minimum size of the mean polarity, and of its change from the first to the last third, for it to count. */
const NOTABLE = 0.12;
/** Interruptions per minute that count against a conversation. */
const MANY_INTERRUPTIONS = 1;
/** Number of independent measures that must agree before a conversation is rated other than fair. */
const AGREEING = 3;

/** The utterances of praise and of a complaint, if any. */
export interface Spoken {
  praise: string[] | undefined;
  complaint: string[] | undefined;
}

/** The judgement of one measure for or against the conversation, with its reasons. */
interface Measure {
  sign: 1 | -1;
  reasons: Spans[];
}

/**
 * Rates a conversation. It is fair, without a reason, unless several independent measures (how the proposals ended, the
 * sentiment, praise and complaints, interruptions) agree and none disagrees. A good conversation whose sentiment also
 * rises is excellent.
 */
export function rateQuality(material: SummaryMaterial, spoken: Spoken): QualityRating {
  const sentiment = sentimentOf(material);
  const measures = [
    outcomeMeasure(material),
    sentiment,
    spokenMeasure(material, spoken),
    interruptions(material),
  ].filter((measure) => measure !== undefined);
  const [good, bad] = [1, -1].map((sign) => measures.filter((measure) => measure.sign === sign));
  const reasons = measures.flatMap((measure) => measure.reasons);
  if (good!.length >= AGREEING && bad!.length === 0)
    return { quality: sentiment && sentiment.reasons.length > 1 ? 'excellent' : 'good', reasons };
  if (bad!.length >= AGREEING && good!.length === 0) return { quality: 'poor', reasons };
  return { quality: 'fair', reasons: [] };
}

/** The outcome of the proposals. Undefined if nothing was settled, or if outcomes differ. */
function outcomeMeasure({ outcomes, book, language }: SummaryMaterial): Measure | undefined {
  const { quality: say } = language.sentences;
  const { accepted, rejected, unresolved } = outcomes;
  const against = rejected.length + unresolved.length > 0;
  if (accepted.length > 0 === against) return undefined;
  const note = (line: Spans, of: readonly MomentEvent[], name: string): Spans =>
    book.note(
      line,
      of.flatMap((m) => m.utterance_ids),
      { [name]: of.length },
    );
  const answers = (settled: readonly Settled[]): MomentEvent[] => settled.map(({ answer }) => answer);
  return {
    sign: against ? -1 : 1,
    reasons: [
      ...(accepted.length > 0 ? [note(say.accepted(accepted.length), answers(accepted), 'accepted')] : []),
      ...(rejected.length > 0 ? [note(say.declined(rejected.length), answers(rejected), 'rejected')] : []),
      ...(unresolved.length > 0 ? [note(say.unresolved(unresolved.length), unresolved, 'standing_objections')] : []),
    ],
  };
}

/** The mean sentiment, and its change if that points in the same direction. */
function sentimentOf({ utterances, book, language }: SummaryMaterial): Measure | undefined {
  const { quality: say } = language.sentences;
  const all = meanPolarity(utterances);
  if (all === null || Math.abs(all) < NOTABLE) return undefined;
  const sign = all > 0 ? 1 : -1;
  const round = (x: number) => Math.round(x * 100) / 100;
  const reasons = [book.note(say.meanSentiment(round(all)), measured(utterances), { mean_polarity: round(all) })];
  const third = Math.floor(utterances.length / 3);
  const [first, last] = third > 0 ? [utterances.slice(0, third), utterances.slice(-third)] : [[], []];
  const [start, end] = [meanPolarity(first), meanPolarity(last)];
  if (start !== null && end !== null && sign * (end - start) >= NOTABLE)
    reasons.push(
      book.note(say.sentimentChange(round(start), round(end)), [...measured(first), ...measured(last)], {
        first_third_polarity: round(start),
        last_third_polarity: round(end),
      }),
    );
  return { sign, reasons };
}

/** Praise or a complaint. Undefined if there is neither or both. */
function spokenMeasure({ book, language }: SummaryMaterial, { praise, complaint }: Spoken): Measure | undefined {
  const { quality: say } = language.sentences;
  if (praise && !complaint) return { sign: 1, reasons: [book.note(say.praise(), praise)] };
  if (complaint && !praise) return { sign: -1, reasons: [book.note(say.complaint(), complaint)] };
  return undefined;
}

/** Whether there are many interruptions. */
function interruptions({ insights, utterances, duration, book, language }: SummaryMaterial): Measure | undefined {
  const cuts = Object.values(insights.metrics.speakers).reduce((s, m) => s + m.interruptions, 0);
  if (cuts < 2 || duration <= 0 || (cuts * 60) / duration < MANY_INTERRUPTIONS) return undefined;
  const ids = utterances.map((u) => u.utterance_id);
  return {
    sign: -1,
    reasons: [book.note(language.sentences.quality.interruptions(cuts), ids, { interruptions: cuts })],
  };
}

/** Mean polarity of the utterances whose sentiment is known. Null if there are none. */
function meanPolarity(utterances: Utterance[]): number | null {
  const known = utterances.map(polarityOf).filter((p) => p !== null);
  return known.length > 0 ? known.reduce((s, p) => s + p, 0) / known.length : null;
}

/** Ids of the utterances whose sentiment is known. */
const measured = (utterances: Utterance[]): string[] =>
  utterances.filter((u) => polarityOf(u) !== null).map((u) => u.utterance_id);
