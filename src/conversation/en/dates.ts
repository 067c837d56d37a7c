import { casual, type ParsedResult } from 'chrono-node/en';
import type { DateMention, DateReader, LocalTime } from '../language.ts';

/** Limit on the text that is searched for dates, characters. The parser's work grows with it. */
const MAX_CHARS = 600;

/** Words before a date after which it is a duration, a habit or a start, and no date on which something is due. */
const NOT_DUE =
  /\b(?:for|every|each|since|last|past|until|till|from|than|over the|during|after|per|like)(?: (?:the|a|at least|about|around|like))? $/i;
/** Words that resemble a day or a month. */
const AMBIGUOUS = /^(?:sat|sun|mon|tue|tues|wed|thu|thur|thurs|fri|may|march|mar|second|now|then|right now)$/i;
/** A month whose name is also a word, after a preposition. */
const MONTH_AFTER = /\b(?:in|by|of|next|this|early|late|mid) $/i;
/** A length of time or a rate, such as "two hours of my time" and "$5 a month". */
const DURATION = /^(?:an?|one|two|three|four|five|six|\d+) (?:minute|hour|day|week|month|year)s?$/;
/** Amounts that name no day. */
const INDEFINITE = /\b(?:few|several|some|half|and a half)\b/i;
/** The words of a date. The parser also reads abbreviations, and finds some in other words. */
const NAMED =
  /\d|\b(?:today|tonight|tomorrow|\w*days?|mornings?|afternoon|evening|weeks?|weekend|months?|years?|hours?|minutes?|quarter|jan\w*|feb\w*|march|april|may|june|july|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|christmas|fortnight)\b/;
const PAST = /\b(?:ago|last|yesterday|past|previous|earlier)\b/i;
const HABIT = /^\s*(?:s\b(?! time)|to \d|(?:or so )?ago)/i;
/** Words after a date that move it ("a week from Friday") or belong to it. */
const MOVES = /^\s*(?:from|after|before|week\b)/i;
const TAIL = /^(?:['’]s? time\b|\s+(?:at the latest|sharp))/i;
const RANGE_BEFORE = /\b(?:(one|two|three|four|five|six|\d+|a couple)\s+(?:to|or)\s+)$/i;
const COUNTS: Readonly<Record<string, number>> = { one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };

const DAY_MS = 86_400_000;
const isoOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`);
const plus = (iso: string, days: number): string => isoOf(dayOf(iso) + days * DAY_MS);
/** Days since Monday. */
const weekday = (iso: string): number => (new Date(dayOf(iso)).getUTCDay() + 6) % 7;
const lastOfMonth = (year: number, month: number): string => isoOf(Date.UTC(year, month, 0));

/** Finds the days that words name, from the day on which they were said. */
export const DATES: DateReader = {
  vague:
    /\b(?:(?:as )?soon(?:er)?(?: as (?:possible|i can|we can|you can))?|asap|shortly|later(?: on)?|in (?:a (?:while|(?:few|couple of) \w+)|the (?:next )?(?:few|coming) \w+|due course|the future)|sometime|some time|at some point|one of these days|eventually|when(?:ever)? (?:you|i) (?:can|get a chance|have time)|first thing|(?:at|by|until|till|before|around) (?:noon|midday|midnight|lunch ?time|\d{1,2}:\d{2}(?: ?[ap]\.?m)?|\d{1,2} ?(?:[ap]\.?m|o['’]clock)))\b/i,
  fromNow: /^(?:with)?in /i,
  prepositions: new Set(['by', 'on', 'in', 'at', 'from', 'for']),
  find(text: string, said: LocalTime): DateMention[] {
    const searched = text.slice(0, MAX_CHARS);
    const [hour = 12, minute = 0] = said.time.split(':').map(Number);
    const reference = { instant: new Date(dayOf(said.date) + (hour * 60 + minute) * 60_000), timezone: 0 };
    const results = casual.parse(searched, reference, { forwardDate: true });
    return results.flatMap((result) => mentionOf(result, searched, said.date) ?? []).reduce(joined, []);
  },
};

/** Joins alternatives ("Monday or Tuesday") into one mention. */
function joined(mentions: DateMention[], next: DateMention): DateMention[] {
  const last = mentions.at(-1);
  if (!last || !next.follows || last.end !== next.follows.at) return [...mentions, next];
  const [from, date] = [last.from ?? last.date, next.date].sort();
  return [
    ...mentions.slice(0, -1),
    {
      at: last.at,
      end: next.end,
      text: `${last.text} ${next.follows.word} ${next.text}`,
      from: from!,
      date: date!,
      time: null,
    },
  ];
}

function mentionOf(result: ParsedResult, text: string, today: string): DateMention | undefined {
  const { start, index } = result;
  const before = text.slice(0, index);
  const words = result.text.toLowerCase();
  const isMonth = /^(?:may|march|mar)$/.test(words) && MONTH_AFTER.test(before);
  if ((AMBIGUOUS.test(words) && !isMonth) || NOT_DUE.test(before) || PAST.test(words)) return undefined;
  if (words.startsWith('for ') || INDEFINITE.test(words)) return undefined;
  const rest = text.slice(index + result.text.length);
  if (!NAMED.test(words) || /^\p{L}/u.test(rest)) return undefined;
  if (HABIT.test(rest) || MOVES.test(rest)) return undefined;
  const year = start.get('year') ?? 0;
  const month = start.get('month') ?? 1;
  const named = isoOf(Date.UTC(year, month - 1, start.get('day') ?? 1));
  const span = spanOf(words, named, { year, month }, today, start);
  if (!span || span.date < today) return undefined;
  const tail = TAIL.exec(rest)?.[0] ?? '';
  const range = RANGE_BEFORE.exec(before);
  if (DURATION.test(words) && !range) return undefined;
  const at = range ? index - range[0].length : index;
  const counted = range && rangeStart(range[1]!, words, today);
  const isTimed = start.isCertain('hour') && !/\b(?:minutes?|hours?|secs?|seconds?|mins?)\b/.test(words);
  const clock = [start.get('hour') ?? 0, start.get('minute') ?? 0].map((n) => String(n).padStart(2, '0')).join(':');
  const or = /\s(or|and)\s$/i.exec(before);
  return {
    at,
    end: index + result.text.length + tail.length,
    text: text.slice(at, index + result.text.length + tail.length),
    from: counted ?? span.from,
    date: span.date,
    // "at 3" without a part of the day may be either.
    time: isTimed && (start.isCertain('meridiem') || (start.get('hour') ?? 0) > 12) ? clock : null,
    ...(or && { follows: { at: index - or[0].length, word: or[1]! } }),
  };
}

/** The days that a date names: one, or the first and the last of several. */
function spanOf(
  words: string,
  named: string,
  { year, month }: { year: number; month: number },
  today: string,
  start: ParsedResult['start'],
): { from: string | null; date: string } | undefined {
  const monday = plus(today, -weekday(today));
  if (/\bend of next week\b/.test(words)) return { from: null, date: plus(monday, 13) };
  if (/\bnext week\b/.test(words) && !start.isCertain('weekday'))
    return { from: plus(monday, 7), date: plus(monday, 13) };
  if (/\bthis week\b/.test(words) && !start.isCertain('weekday')) return { from: today, date: plus(monday, 6) };
  if (/\bweekend\b/.test(words)) {
    const saturday = plus(monday, /\bnext\b/.test(words) ? 12 : 5);
    return { from: saturday > today ? saturday : today, date: plus(saturday, 1) };
  }
  if (/\bend of (?:the |this )?week\b/.test(words)) return { from: null, date: plus(monday, 6) };
  if (
    /\bnext month\b/.test(words) ||
    (!start.isCertain('day') && !start.isCertain('weekday') && start.isCertain('month'))
  ) {
    if (/^in \w+ months?$/.test(words)) return { from: null, date: named };
    const first = isoOf(Date.UTC(year, month - 1, 1));
    return { from: first > today ? first : today, date: lastOfMonth(year, month) };
  }
  // A weekday that is named on that weekday means the next one; otherwise people say "today".
  if (start.isCertain('weekday') && !start.isCertain('day'))
    return { from: null, date: named === today ? plus(named, 7) : named };
  if (start.isCertain('day') || /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/.test(words))
    return { from: null, date: named };
  return undefined;
}

/** The first day of "two to three weeks". */
function rangeStart(count: string, words: string, today: string): string | null {
  const number = COUNTS[count.toLowerCase()] ?? Number(count);
  const days = /\bweeks?\b/.test(words) ? 7 : /\bdays?\b/.test(words) ? 1 : 0;
  return days > 0 && Number.isFinite(number) ? plus(today, number * days) : null;
}
