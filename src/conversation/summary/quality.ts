import type { ConversationSummary } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { polarityOf } from '../affect/states.ts';
import type { SummaryMaterial } from './material.ts';

/** How good a conversation was, and why. */
export interface AudioQualityRating {
  quality: ConversationSummary['conversation_quality'];
  reasons: string[];
}

/** Change of mean polarity from the first to the last third that counts. */
const TURNED = 0.12;
/** Interruptions a minute that disturb. */
const MANY_INTERRUPTIONS = 1;
/** Points from which a conversation is excellent: agreement, good and rising mood, nothing wrong, and more. */
const EXCELLENT = 2.1;

/** Points for and against; where they end up is the quality. */
export function rateQuality(
  { insights, utterances, outcomes, duration, book }: SummaryMaterial,
  well: number,
  wrong: number,
  praised: boolean,
): AudioQualityRating {
  let points = 0;
  const reasons: string[] = [];
  const add = (value: number, line: string, ids: string[], measures: Record<string, number> = {}) => {
    points += value;
    reasons.push(book.note(line, ids, measures));
  };
  const ids = utterances.map((u) => u.utterance_id);
  const yes = outcomes.accepted.length;
  const no = outcomes.rejected.length;
  if (yes > 0)
    add(
      0.8,
      `${yes} ${yes === 1 ? 'proposal' : 'proposals'} accepted`,
      outcomes.accepted.flatMap((a) => a.answer.utterance_ids),
      { accepted: yes },
    );
  if (no > 0)
    add(
      -0.5,
      `${no} ${no === 1 ? 'proposal' : 'proposals'} declined`,
      outcomes.rejected.flatMap((a) => a.answer.utterance_ids),
      { rejected: no },
    );
  if (outcomes.standing.length > 0)
    add(
      -0.5,
      `${outcomes.standing.length} ${outcomes.standing.length === 1 ? 'objection' : 'objections'} left standing`,
      outcomes.standing.flatMap((o) => o.utterance_ids),
      { standing_objections: outcomes.standing.length },
    );
  const third = Math.floor(utterances.length / 3);
  const [first, last] = third > 0 ? [utterances.slice(0, third), utterances.slice(-third)] : [[], []];
  const [start, end, all] = [meanPolarity(first), meanPolarity(last), meanPolarity(utterances)];
  const round = (x: number) => Math.round(x * 100) / 100;
  if (start !== null && end !== null && Math.abs(end - start) >= TURNED)
    add(
      end > start ? 0.5 : -0.7,
      `sentiment ${end > start ? 'rises' : 'falls'} from ${round(start)} in the first third to ${round(end)} in the last`,
      [...felt(first), ...felt(last)],
      { first_third_polarity: round(start), last_third_polarity: round(end) },
    );
  if (all !== null && Math.abs(all) >= TURNED)
    add(all > 0 ? 0.4 : -0.8, `mean sentiment ${round(all)}`, felt(utterances), { mean_polarity: round(all) });
  const cuts = Object.values(insights.metrics.speakers).reduce((s, m) => s + m.interruptions, 0);
  if (duration > 0 && (cuts * 60) / duration >= MANY_INTERRUPTIONS && cuts > 1)
    add(-0.6, `${cuts} interruptions`, ids, { interruptions: cuts });
  if (well > 1 && wrong === 0) points += 0.3;
  if (praised) points += 0.3;
  if (reasons.length === 0) reasons.push(book.note('neither agreement nor trouble stands out', []));
  const quality = points <= -1 ? 'poor' : points < 0.5 ? 'fair' : points < EXCELLENT ? 'good' : 'excellent';
  return { quality, reasons };
}

/** Of the utterances whose sentiment is known; null where there is none. */
function meanPolarity(utterances: Utterance[]): number | null {
  const known = utterances.map(polarityOf).filter((p) => p !== null);
  return known.length > 0 ? known.reduce((s, p) => s + p, 0) / known.length : null;
}

/** Ids of the utterances whose sentiment is known. */
const felt = (utterances: Utterance[]): string[] =>
  utterances.filter((u) => polarityOf(u) !== null).map((u) => u.utterance_id);
