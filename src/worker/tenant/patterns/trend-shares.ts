import { MOMENT_CATEGORY_NAMES } from '../../../contract/findings.ts';
import { MomentOutcomeSchema, SURE_FROM } from '../../../contract/patterns.ts';
import {
  measureRow,
  QUESTIONS_FROM_S,
  STAFF_ROLES,
  type TrendGroup,
  type TrendMeasure,
} from '../../../contract/trends.ts';
import { type MomentFilter, momentTest } from './pattern-filter.ts';
import type { ConversationRow, RowBlock, SpeakerRow } from './pattern-rows.ts';
import { combinations, type GroupValues, KnownGroupValues, keyOf, pushTo } from './trend-groups.ts';

/** A value of a conversation as a fraction, and the unsure part of the moments or seconds behind it. */
export interface Fraction {
  above: number;
  below: number;
  unsure: number;
  outOf: number;
}

/** The part of a conversation in one place; null if the measure is not known. */
export interface Share {
  place: GroupValues;
  part: Fraction | null;
}

type SharesOf = (conversation: ConversationRow, block: RowBlock) => readonly Share[];

interface Measured extends MomentFilter {
  measure: TrendMeasure;
  person?: string | undefined;
}

/** Returns the shares of a conversation in a measure, by the groups that divide it. */
export function sharesIn(query: Measured, groups: readonly TrendGroup[]): SharesOf {
  const { measure } = query;
  if (measure === 'duration' || measure === 'silence') {
    const place: GroupValues = { key: '', of: {} };
    return (conversation, block) => [{ place, part: partOfConversation(measure, conversation, block) }];
  }
  return isOfSpeakers(measure) ? speakerShares(query, measure, groups) : momentShares(query, groups);
}

function partOfConversation(
  measure: 'duration' | 'silence',
  [n, , , , duration, silence, unsure]: ConversationRow,
  { speakers }: RowBlock,
): Fraction | null {
  const sure = { unsure, outOf: (speakers.get(n) ?? []).reduce((sum, { spoken }) => sum + spoken, 0) };
  if (measure === 'duration') return { above: duration, below: 1, ...sure };
  return duration > 0 ? { above: silence, below: duration, ...sure } : null;
}

function momentShares(query: Measured, groups: readonly TrendGroup[]): SharesOf {
  const divided = groups.filter((group) => group === 'category' || group === 'outcome' || group === 'role');
  const places = new KnownGroupValues();
  const placesOf = (roles: readonly (string | null)[]): GroupValues[] => {
    const lists = divided.map((group) => {
      if (group === 'role') return roles;
      if (group === 'category') return query.category?.split(',') ?? MOMENT_CATEGORY_NAMES;
      return query.outcome === undefined ? MomentOutcomeSchema.options : [query.outcome];
    });
    return combinations(lists).map((values) => places.of(divided, values));
  };
  const isMeant = momentTest(query);
  const everywhere = divided.includes('role') ? undefined : placesOf([]);
  const isRatio = measureRow(query.measure).isRatio === true;
  return ([n, , , , duration], { moments, speakers }) => {
    const below = isRatio ? duration / 3600 : 1;
    const own = speakers.get(n) ?? [];
    const counts = new Map<string, { count: number; unsure: number }>();
    for (const moment of moments.get(n) ?? []) {
      if (!isMeant(moment, own)) continue;
      const key = keyOf(divided.map((group) => moment[MOMENT_COLUMN[group]]));
      const sum = counts.get(key) ?? { count: 0, unsure: 0 };
      sum.count++;
      if (moment[7] < SURE_FROM) sum.unsure++;
      counts.set(key, sum);
    }
    return (everywhere ?? placesOf(rolesOf(own, query.role))).map((place) => {
      const { count, unsure } = counts.get(place.key) ?? NONE;
      if (count === 0 && !isRatio) return { place, part: NO_MOMENTS };
      return { place, part: below > 0 ? { above: count, below, unsure, outOf: count } : null };
    });
  };
}
/** The column of a moment that has the value of a group. */
export const MOMENT_COLUMN = { category: 2, outcome: 3, role: 4 } as const;
const NONE = { count: 0, unsure: 0 };
const NO_MOMENTS: Fraction = { above: 0, below: 1, unsure: 0, outOf: 0 };

/** The roles of some speakers. @param only a role; undefined for all */
const rolesOf = (speakers: readonly SpeakerRow[], only: string | undefined): (string | null)[] =>
  [...new Set(speakers.map(({ role }) => role))].filter((role) => only === undefined || role === only);

const OF_SPEAKERS = ['tone', 'talk_share', 'longest_turn', 'patience', 'questions', 'pace'] as const;
type SpeakerMeasure = (typeof OF_SPEAKERS)[number];
const isOfSpeakers = (measure: TrendMeasure): measure is SpeakerMeasure =>
  (OF_SPEAKERS as readonly TrendMeasure[]).includes(measure);

function speakerShares(query: Measured, measure: SpeakerMeasure, groups: readonly TrendGroup[]): SharesOf {
  const divided = groups.filter((group) => group === 'role' || group === 'person');
  const leastTalk = divided.includes('person') ? QUESTIONS_FROM_S : 0;
  const places = new KnownGroupValues();
  return ([n], { speakers }) => {
    const all = speakers.get(n) ?? [];
    const chosen = new Map<GroupValues, SpeakerRow[]>();
    for (const speaker of all) {
      if (!isChosen(speaker, query) || (speaker.person === null && divided.includes('person'))) continue;
      const values = divided.map((group) => speaker[group]);
      pushTo(chosen, places.of(divided, values), speaker);
    }
    return [...chosen].map(([place, own]) => ({ place, part: partOfSpeakers(measure, own, all, leastTalk) }));
  };
}

/** Whether a measure is taken from a speaker. The tone of staff is never worked out, nor that of the person asked for. */
function isChosen({ name, person, role }: SpeakerRow, query: Measured): boolean {
  if (query.speaker !== undefined && query.speaker !== name && query.speaker !== person) return false;
  if (query.role !== undefined && query.role !== role) return false;
  if (query.measure !== 'tone') return true;
  if (role !== null && STAFF_ROLES.includes(role)) return false;
  return query.person === undefined || (query.person !== name && query.person !== person);
}

/** @param leastTalk below which there are no questions an hour, seconds */
function partOfSpeakers(
  measure: SpeakerMeasure,
  own: readonly SpeakerRow[],
  all: readonly SpeakerRow[],
  leastTalk: number,
): Fraction | null {
  const sum = (column: 'tone' | 'toned' | 'talk' | 'questions' | 'words' | 'unsure' | 'spoken', of = own) =>
    of.reduce((total, speaker) => total + speaker[column], 0);
  const fraction = (above: number, below: number): Fraction | null =>
    below > 0 ? { above, below, unsure: sum('unsure'), outOf: sum('spoken') } : null;
  switch (measure) {
    case 'tone':
      return fraction(sum('tone'), sum('toned'));
    case 'talk_share':
      return own.some(({ ratio }) => ratio === null) ? null : fraction(sum('talk'), sum('talk', all));
    case 'questions':
      return sum('talk') < leastTalk ? null : fraction(sum('questions'), sum('talk') / 3600);
    case 'pace':
      return fraction(sum('words'), sum('talk') / 60);
    case 'longest_turn': {
      const known = own.flatMap(({ longest }) => longest ?? []);
      return known.length === 0 ? null : fraction(Math.max(...known), 1);
    }
    case 'patience': {
      const known = own.flatMap(({ patience }) => patience ?? []);
      return known.length === 0 ? null : fraction(known.reduce((total, gap) => total + gap, 0) / known.length, 1);
    }
  }
}
