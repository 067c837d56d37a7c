import { SURE_FROM } from '../../contract/patterns.ts';
import type { RulePlace, RuleSpeaker } from '../../contract/rule-conditions.ts';
import { isUnread, type RuleConversation, type RuleFacts, type RuleMoment } from './facts.ts';
import { firstAtOrAfter } from './verdicts.ts';

/** A part of the recording, seconds: from `from` up to, but not including, `to`. */
export interface Part {
  from: number;
  to: number;
}

/** The utterances that a condition is about. */
export interface RuleScope {
  part: Part;
  /** Whether it contains something of a speaker that starts at a time, seconds. */
  holds(speaker: number, start: number, utterances: readonly number[]): boolean;
  /** Whether what it contains follows only moments that are unsure. */
  isUnsure(start: number, utterances: readonly number[]): boolean;
  /** Whether more may still be said in it. */
  isOpen: boolean;
  /** Whether something already said may be in it without being found: not all moments are known. */
  isIncomplete: boolean;
}

const EVERYTHING: Part = { from: 0, to: Number.POSITIVE_INFINITY };

/**
 * The part of a recording that a place names. Null while its end is not known, as in a live session for the last ten
 * seconds.
 */
export function partOf(where: RulePlace | undefined, { facts, isOpen }: RuleConversation): Part | null {
  if (!where) return EVERYTHING;
  const { last_seconds, first_share, last_share, between_share, first_seconds, between_seconds } = where;
  const needsLength = [last_seconds, first_share, last_share, between_share].some((one) => one !== undefined);
  if (isOpen && needsLength) return null;
  const { duration } = facts;
  const shares = between_share?.map((share) => share * duration);
  const starts = [
    ...(last_seconds === undefined ? [] : [duration - last_seconds]),
    ...(last_share === undefined ? [] : [duration * (1 - last_share)]),
    ...(between_seconds ? [between_seconds[0]!] : []),
    ...(shares ? [shares[0]!] : []),
  ];
  const ends = [
    ...(first_seconds === undefined ? [] : [first_seconds]),
    ...(first_share === undefined ? [] : [duration * first_share]),
    ...(between_seconds ? [between_seconds[1]!] : []),
    ...(shares ? [shares[1]!] : []),
  ];
  return { from: Math.max(0, ...starts), to: Math.min(Number.POSITIVE_INFINITY, ...ends) };
}

/**
 * The speakers that a condition names, as indices; undefined if it is about everybody. Null if nobody in this
 * conversation is known to have the role.
 */
export function speakersOf(who: RuleSpeaker | undefined, facts: RuleFacts): ReadonlySet<number> | undefined | null {
  if (!who) return undefined;
  const wanted = (who.role ?? who.speaker ?? '').toLowerCase();
  const found = facts.speakers.flatMap(({ label, name, role }, index) => {
    const names = who.role === undefined ? [label, name] : [name, role];
    return names.some((one) => one?.toLowerCase() === wanted) ? [index] : [];
  });
  return who.role !== undefined && found.length === 0 ? null : new Set(found);
}

/** The scope of a condition. Null if it is not known. */
export function scopeOf(
  { who, where }: { who?: RuleSpeaker | undefined; where?: RulePlace | undefined },
  conversation: RuleConversation,
): RuleScope | null {
  const { facts, isOpen } = conversation;
  const part = partOf(where, conversation);
  const speakers = speakersOf(who, facts);
  if (part === null || speakers === null) return null;
  const asking = where?.in_question === undefined ? undefined : new Set(facts.asks);
  const after = where?.after;
  const moments = after && momentsOf(after, facts);
  const sure = moments?.filter(({ confidence }) => confidence >= SURE_FROM);
  const follows = (all: RuleMoment[] | undefined, start: number, utterances: readonly number[]): boolean => {
    if (!all || !after) return true;
    for (let i = firstAtOrAfter(all, start) - 1; i >= 0; i--) {
      const moment = all[i]!;
      if (start - moment.start > after.within_seconds) break;
      if (!utterances.some((u) => moment.utterances.includes(u))) return true;
    }
    return false;
  };
  const holds = (speaker: number, start: number, utterances: readonly number[]): boolean =>
    start >= part.from &&
    start < part.to &&
    (!speakers || speakers.has(speaker)) &&
    (!asking || utterances.some((u) => asking.has(u) === where!.in_question)) &&
    follows(moments, start, utterances);
  const isUnsure = (start: number, utterances: readonly number[]): boolean => !follows(sure, start, utterances);
  const isIncomplete = after !== undefined && (isOpen || Array.from(facts.sentiment).some(isUnread));
  return { part, holds, isUnsure, isOpen: isOpen && facts.duration < part.to, isIncomplete };
}

/** The moments that a condition follows, in order. */
const momentsOf = ({ categories, min_confidence }: NonNullable<RulePlace['after']>, facts: RuleFacts): RuleMoment[] =>
  facts.moments
    .filter(({ category, confidence }) => categories.includes(category) && confidence >= min_confidence)
    .sort((a, b) => a.start - b.start);
