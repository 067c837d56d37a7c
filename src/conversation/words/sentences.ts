import { type Hearing, hearingOf } from './hearing.ts';
import { stem, words } from './tokens.ts';
import type { Turns } from './turns.ts';

/** A sentence somebody said, ready to be quoted. */
export interface Sentence {
  /** Index of its utterance. */
  turn: number;
  speaker: string;
  /** Verbatim but for fillers and false starts cut at its ends. */
  text: string;
  /** Ids of its distinct content stems. */
  stems: number[];
  /** Number of words. */
  length: number;
  asks: boolean;
  /** How well its words were heard. */
  heard: Hearing;
}

/** Marks before a blank, but not the points of an abbreviation (`8 a.m. and`, `Mr. Hill`). */
const SENTENCE_END = /(?<=[.!?])(?<!\b(?:mr|mrs|ms|dr|st|vs|[a-hj-z])\.)\s+(?=\S)/iu;
/** Fillers and discourse markers that carry nothing at the start or the end of a quote. */
const LEADING =
  /^(?:(?:(?:like|as) i said|(?:wonderful|perfect|excellent|lovely|brilliant|terrific|fantastic)(?=,)|um+|uh+|er+m?|ah+|oh|hm+|mm+|mhm|well|so|and|but|or|like|okay|ok|yeah|yep|yes|no|right|alright|you know|i mean|i guess|basically|actually|anyway|hey|hi|hello|sure|great|cool|nice(?! (?:to|talking|meeting|seeing))|wow|now|then|because|cause|also|or anything|anything(?=,? but))\b[\s,;.!?-]*)+/iu;
/** The same at the end, read backwards from there: the group is what is left out. */
const TRAILING =
  /$(?<=((?:[\s,-]*\b(?:um+|uh+|er+|you know|i mean|i guess|or something|and stuff|(?<!\b(?:that's|it's|is|are|you're|all) )right|okay|though|anyway|(?<=,\s?)(?:sir|madam|ma'am|i'm afraid)|so|and|but|or|(?<!\b(?:you|i|we|they|would|it|that|looks?|sounds?|feels?)[ ,]+)like)\b[\s,.?-]*)+))/iu;
/** Fillers within a quote are left out; the words around them stay as they were said. */
const FILLER = /(?:,\s*)?\b(?:u+h+m*|u+m+|e+r+m*|a+h+|h+m+|m+h+m+|mm+)\b,?\s*/giu;
/**
 * Stutters, of up to 48 letters (the longest words of English have 45); after a comma a pronoun may begin anew ("with
 * you, you never know").
 */
const REPEATED =
  /\b(?![\p{L}']{49})([\p{L}']+)(?:[\s-]+\1\b|,\s+(?!(?:you|it|that|this|him|her|them|there|here)\b)\1\b)+/giu;
/** A sentence without an end is cut into clauses of about this many words: recognisers forget full stops. */
const LONG_SENTENCE = 45;

/** What no whole sentence ends with. */
const CUT_OFF =
  /\b(?:that's|it's|is|are|the|a|an|to|of|and|or|my|your|for|with|i|we|if|make|could|can|will|would|that|because|so|get|have|just)$/i;

/** Whether a cleaned sentence was left unfinished. */
export const isCutOff = (text: string): boolean => CUT_OFF.test(text);

/** Cuts one text into sentences; very long ones at their commas. */
export function splitSentences(text: string): string[] {
  return text
    .split(SENTENCE_END)
    .flatMap((s) =>
      s.split(/\s+/).length > LONG_SENTENCE
        ? s.split(/(?<=[,;])\s+(?=(?:and|but|so|because|then|i|we|you|it|the)\b)/iu)
        : [s],
    )
    .map((s) => s.trim())
    .filter(Boolean);
}

/** The words of a sentence without fillers at its ends and without stutters; every word stays as it was said. */
export function clean(text: string): string {
  const bare = text
    .replace(/\s+/g, ' ')
    .replace(/ ([,.!?;:])/g, '$1')
    .replace(FILLER, ' ')
    .replace(REPEATED, '$1')
    .replace(/\s+/g, ' ')
    .trim();
  const end = /(?<![.!?…])[.!?…]+$/u.exec(bare)?.[0] ?? '';
  const led = bare.replace(LEADING, '').replace(/(?<![.!?…,;:\s-])[.!?…,;:\s-]+$/u, '');
  const trail = TRAILING.exec(led)?.[1] ?? '';
  const core = led.slice(0, led.length - trail.length).trim();
  return core === '' ? '' : core + (end.includes('?') ? '?' : '');
}

/** The longest beginning of a text that fits, cut between words; '…' says that something follows. */
export function shorten(text: string, words: number): string {
  const parts = text.split(' ');
  if (parts.length <= words) return text;
  let end = words;
  // A clause's end is a better place to stop than the middle of one.
  for (let i = words; i > words * 0.6; i--)
    if (/[,;]$/.test(parts[i - 1]!)) {
      end = i;
      break;
    }
  return `${parts.slice(0, end).join(' ').replace(/[,;]$/, '')} …`;
}

/**
 * The sentences of a turn that say something, in order. Linear in the text.
 */
export function readSentences(turns: Turns, turn: number): Sentence[] {
  const hear = hearingOf(turns, turn);
  return splitSentences(turns.texts[turn]!).flatMap((raw): Sentence[] => {
    const text = clean(raw);
    const spoken = words(text);
    if (spoken.length === 0) return [];
    const stems = new Set<number>();
    for (const word of spoken) {
      const id = turns.stemIds.get(stem(word));
      if (id !== undefined) stems.add(id);
    }
    return [
      {
        turn,
        speaker: turns.speakers[turn]!,
        text,
        stems: [...stems],
        length: spoken.length,
        asks: raw.includes('?'),
        heard: hear(spoken),
      },
    ];
  });
}
