import type { AnalysisResponse } from '../../contract/analysis.ts';
import type { Commitment, OpenQuestion } from '../../contract/commitments.ts';
import { COURSE_POINTS, type ConversationCard, type Sentiments } from '../../contract/conversations.ts';
import { isAnswerable } from '../../contract/findings.ts';
import { rounded } from '../../contract/wire-numbers.ts';
import { conversationOf, type RuleFacts, type RuleResult } from '../../conversation/rules/facts.ts';
import { type Edited, rolesOf } from './edits/edited.ts';
import { type PatternIndex, type PatternResult, patternsOf } from './pattern-index.ts';

/** The part of a result that the catalogue stores, so that lists and searches need not read the result. */
export interface Indexed {
  card: ConversationCard;
  /** The text of each utterance, and when each starts, ms. */
  lines: string[];
  starts: number[];
  /** The facts that rules read, apart from the texts. */
  facts: RuleFacts;
  commitments: Commitment[];
  openQuestions: OpenQuestion[];
  /** The part that lists over all conversations read, apart from the texts. */
  patterns: PatternIndex;
}

/** The members of a result from which the index is built. */
export interface Indexable {
  timeline: readonly (RuleResult['timeline'][number] & PatternResult['timeline'][number])[];
  summary: Pick<AnalysisResponse['summary'], 'overview' | 'conversation_quality'>;
  insights: {
    overall_sentiment: Pick<NonNullable<AnalysisResponse['insights']['overall_sentiment']>, 'mean' | 'trend'> | null;
    metrics: PatternResult['insights']['metrics'];
  };
  moments: PatternResult['moments'];
  transitions: RuleResult['transitions'];
  media: Pick<AnalysisResponse['media'], 'duration_s'>;
  warnings: readonly string[];
  language?: RuleResult['language'];
  roles?: Readonly<Record<string, string>> | undefined;
  /** Absent from results of earlier versions. */
  commitments?: Commitment[];
  /** Absent from results of earlier versions. */
  open_questions?: OpenQuestion[];
  options?: PatternResult['options'];
}

/**
 * Mean polarity at and above which a conversation counts as positive. At or below the negated value, it counts as
 * negative.
 */
const CLEAR_POLARITY = 0.05;
const OVERVIEW_CHARS = 500;
/** Confidence below which a moment is unsure. */
const SURE_FROM = 0.5;

/** The edits that say who speaks, and in which roles. */
type RoleEdits = Pick<Edited, 'people' | 'roles' | 'ownRoles'>;

/** @param edited the edits of the result, which say who speaks */
export function indexOf(result: Indexable, edited: RoleEdits): Indexed {
  const { timeline, summary, insights, moments, media, warnings } = result;
  const counts: ConversationCard['moments'] = {};
  const unsure: ConversationCard['moments'] = {};
  for (const { category, confidence } of moments) {
    counts[category] = (counts[category] ?? 0) + 1;
    if (confidence < SURE_FROM) unsure[category] = (unsure[category] ?? 0) + 1;
  }
  const answered = new Set(moments.map(({ answers }) => answers));
  const { overall_sentiment: sentiment, metrics } = insights;
  const { overview } = summary;
  const facts = withPeople(conversationOf(result).facts, edited, result.roles);
  return {
    card: {
      duration_s: media.duration_s,
      utterances: timeline.length,
      speakers: Object.entries(metrics.speakers).map(([name, { talk_ratio }]) => ({ name, talk_ratio })),
      moments: counts,
      ...(Object.keys(unsure).length > 0 && { unsure_moments: unsure }),
      unanswered_offers: moments.filter((one) => isAnswerable(one.category) && !answered.has(one.moment_id)).length,
      sentiment: sentiment && { mean: sentiment.mean, trend: sentiment.trend, label: labelOf(sentiment.mean) },
      quality: summary.conversation_quality,
      overview: overview.length > OVERVIEW_CHARS ? `${overview.slice(0, OVERVIEW_CHARS - 1).trimEnd()}…` : overview,
      course: courseOf(timeline, media.duration_s),
      warnings: warnings.length,
    },
    lines: timeline.map(({ text }) => text.replace(/\s+/g, ' ')),
    starts: timeline.map(({ t_start }) => Math.round(t_start * 1000)),
    commitments: result.commitments ?? [],
    openQuestions: result.open_questions ?? [],
    facts,
    patterns: patternsOf(result, facts.speakers),
  };
}

/** Facts with the people who speak, and their roles. */
function withPeople(facts: RuleFacts, edited: RoleEdits, ofChannels: Indexable['roles']): RuleFacts {
  const roles = rolesOf(edited, ofChannels);
  return {
    ...facts,
    speakers: facts.speakers.map(({ label, name }) => {
      const [person, role] = [edited.people.get(label), roles[label]];
      return { label, name, ...(person !== undefined && { person }), ...(role !== undefined && { role }) };
    }),
  };
}

const labelOf = (mean: number): Sentiments =>
  mean >= CLEAR_POLARITY ? 'positive' : mean <= -CLEAR_POLARITY ? 'negative' : 'neutral';

/** Mean valence in each of `COURSE_POINTS` equal parts. Each utterance is weighted by its duration within the part. */
function courseOf(timeline: Indexable['timeline'], duration: number): ConversationCard['course'] {
  const end = timeline.reduce((last, { t_end }) => Math.max(last, t_end), duration);
  const width = end / COURSE_POINTS;
  const sums = new Float64Array(COURSE_POINTS);
  const seconds = new Float64Array(COURSE_POINTS);
  for (const { t_start, t_end, pad_scores } of timeline) {
    const valence = pad_scores?.valence;
    if (valence === undefined || width === 0) continue;
    const last = Math.min(COURSE_POINTS - 1, Math.floor(t_end / width));
    for (let part = Math.floor(t_start / width); part <= last; part++) {
      const shared = Math.min(t_end, (part + 1) * width) - Math.max(t_start, part * width);
      if (shared <= 0) continue;
      sums[part]! += valence * shared;
      seconds[part]! += shared;
    }
  }
  return Array.from(sums, (sum, part) => (seconds[part]! > 0 ? rounded(sum / seconds[part]!) : null));
}
