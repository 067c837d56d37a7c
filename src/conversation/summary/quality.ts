import type { ConversationSummary } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { polarityOf } from '../affect/states.ts';
import type { Spans } from '../sentences/spans.ts';
import type { SummaryMaterial } from './material.ts';

/** How good a conversation was, and why. */
export interface QualityRating {
  quality: ConversationSummary['conversation_quality'];
  reasons: Spans[];
}

/** Mean polarity, and change of it from the first to the last third, that count. */
const NOTABLE = 0.12;
/** Interruptions a minute that count against a conversation. */
const MANY_INTERRUPTIONS = 1;
/** Points from which a conversation is excellent: agreement, good and rising mood, nothing wrong, and more. */
const EXCELLENT = 2.1;

/** Adds up points for and against; their sum is the quality. */
export function rateQuality(
  { insights, utterances, outcomes, duration, book, language }: SummaryMaterial,
  well: number,
  wrong: number,
  praised: boolean,
): QualityRating {
  const { quality: say } = language.sentences;
  let points = 0;
  const reasons: Spans[] = [];
  const add = (value: number, line: Spans, ids: string[], measures: Record<string, number> = {}) => {
    points += value;
    reasons.push(book.note(line, ids, measures));
  };
  const ids = utterances.map((u) => u.utterance_id);
  const yes = outcomes.accepted.length;
  const no = outcomes.rejected.length;
  if (yes > 0)
    add(
      0.8,
      say.accepted(yes),
      outcomes.accepted.flatMap((a) => a.answer.utterance_ids),
      { accepted: yes },
    );
  if (no > 0)
    add(
      -0.5,
      say.declined(no),
      outcomes.rejected.flatMap((a) => a.answer.utterance_ids),
      { rejected: no },
    );
  if (outcomes.unresolved.length > 0)
    add(
      -0.5,
      say.unresolved(outcomes.unresolved.length),
      outcomes.unresolved.flatMap((o) => o.utterance_ids),
      { standing_objections: outcomes.unresolved.length },
    );
  const third = Math.floor(utterances.length / 3);
  const [first, last] = third > 0 ? [utterances.slice(0, third), utterances.slice(-third)] : [[], []];
  const [start, end, all] = [meanPolarity(first), meanPolarity(last), meanPolarity(utterances)];
  const round = (x: number) => Math.round(x * 100) / 100;
  if (start !== null && end !== null && Math.abs(end - start) >= NOTABLE)
    add(
      end > start ? 0.5 : -0.7,
      say.sentimentChange(round(start), round(end)),
      [...measured(first), ...measured(last)],
      { first_third_polarity: round(start), last_third_polarity: round(end) },
    );
  if (all !== null && Math.abs(all) >= NOTABLE)
    add(all > 0 ? 0.4 : -0.8, say.meanSentiment(round(all)), measured(utterances), { mean_polarity: round(all) });
  const cuts = Object.values(insights.metrics.speakers).reduce((s, m) => s + m.interruptions, 0);
  if (duration > 0 && (cuts * 60) / duration >= MANY_INTERRUPTIONS && cuts > 1)
    add(-0.6, say.interruptions(cuts), ids, { interruptions: cuts });
  if (well > 1 && wrong === 0) points += 0.3;
  if (praised) points += 0.3;
  if (reasons.length === 0) reasons.push(book.note(say.nothingStandsOut(), []));
  const quality = points <= -1 ? 'poor' : points < 0.5 ? 'fair' : points < EXCELLENT ? 'good' : 'excellent';
  return { quality, reasons };
}

/** Mean polarity of the utterances whose sentiment is known; null where there is none. */
function meanPolarity(utterances: Utterance[]): number | null {
  const known = utterances.map(polarityOf).filter((p) => p !== null);
  return known.length > 0 ? known.reduce((s, p) => s + p, 0) / known.length : null;
}

/** Ids of the utterances whose sentiment is known. */
const measured = (utterances: Utterance[]): string[] =>
  utterances.filter((u) => polarityOf(u) !== null).map((u) => u.utterance_id);
