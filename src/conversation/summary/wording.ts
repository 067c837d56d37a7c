import { rounded } from '../../contract/wire-numbers.ts';
import { readSurfaces } from '../dialogue-acts/dialogue-acts.ts';
import type { ReportingVerbCue } from '../language.ts';
import { DEFAULT_LANGUAGE } from '../languages.ts';
import { isSure } from '../text/asr-confidence.ts';
import { shorten } from '../text/quotes.ts';
import type { SpokenSentence } from '../text/spoken-sentences.ts';
import { retell } from './indirect-speech.ts';

const { others: OTHER_VERBS, beforeActs: VERBS_BEFORE_ACTS } = DEFAULT_LANGUAGE.reportingVerbs;

/** Whether a text has one thing and, behind the first place of it, another. */
export function isFollowed(text: string, first: RegExp, then: RegExp): boolean {
  const found = first.exec(text);
  return found !== null && then.test(text.slice(found.index + found[0].length));
}

/** Log-odds of an offer from which it is told before a promise in the same sentence, and from which it is told at all. */
const CLEAR_OFFER = 0;
const FAINT_OFFER = -1;
/** Cues of what is given to the other side; other offers are suggestions. */
const GIVING = ['offer.give', 'offer.barter'];

/** The verb under which a sentence is quoted: what it does, by its act and by its words. */
export function reportingVerb({ text, asks }: Pick<SpokenSentence, 'text' | 'asks'>): string {
  if (asks) return 'asks';
  const byWords = (deeds: readonly ReportingVerbCue[]): string | undefined =>
    deeds.find(([cue, , then]) => (then ? isFollowed(text, cue, then) : cue.test(text)))?.[1];
  const surfaces = readSurfaces(text, DEFAULT_LANGUAGE);
  const offer = Math.max(...surfaces.map(({ cueLogits }) => cueLogits.offer));
  const proposes = surfaces.some(({ cues }) => GIVING.some((cue) => cues.has(cue))) ? 'offers' : 'suggests';
  const byActs = (): string | undefined => {
    if (offer > CLEAR_OFFER) return proposes;
    if (promises(text)) return 'promises';
    return offer > FAINT_OFFER ? proposes : undefined;
  };
  return byWords(VERBS_BEFORE_ACTS) ?? byActs() ?? byWords(OTHER_VERBS) ?? 'says';
}

/** Whether somebody commits themselves by a sentence. */
export const promises = (text: string): boolean =>
  readSurfaces(text, DEFAULT_LANGUAGE).some(({ cueLogits }) => cueLogits.commitment > 0);

/** A sentence in quotation marks, of at most `words` words. */
export const quoted = (text: string, words: number): string => `“${shorten(text, words)}”`;

/** A line with its full stop, unless a question mark already ends it. */
export const ended = (line: string): string => (line.endsWith('?”') ? line : `${line}.`);

/** 'a', 'a and b', 'a, b and c'. */
export const enumerate = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

/** A length in words that carry their number: seconds below two minutes, else whole minutes. */
export function lengthOf(seconds: number): { text: string; measure: Record<string, number> } {
  if (seconds < 120) {
    const whole = Math.round(seconds);
    return { text: `${whole} s`, measure: { duration_s: whole } };
  }
  const minutes = Math.round(seconds / 60);
  return { text: `${minutes} min`, measure: { duration_min: minutes } };
}

/** 0..1 as whole percent, of the number as it stands on the wire. */
export const percent = (share: number): number => Math.round(rounded(share) * 100);

/**
 * A sentence as a note has it: retold in the third person where that is safe; else, and where it was not heard well,
 * quoted, so that a reader sees it as it was heard.
 * @param listener the only other speaker, if there is just one.
 */
export function note(s: SpokenSentence, limit: number, listener: string | undefined): string {
  const sure = s.length <= limit && isSure(s.asrConfidence);
  const retold = sure ? retell(s.text, { speaker: s.speaker, listener }) : undefined;
  // The verb must be borne out by what a reader sees.
  return ended(
    retold ?? `${s.speaker} ${reportingVerb({ ...s, text: shorten(s.text, limit) })}: ${quoted(s.text, limit)}`,
  );
}

/** The other of two speakers. */
export const otherOf = (speaker: string, speakers: readonly string[]): string | undefined =>
  speakers.length === 2 ? speakers.find((s) => s !== speaker) : undefined;
