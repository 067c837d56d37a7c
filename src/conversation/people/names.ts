import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';

/** The utterance of a speaker, as names are read from it. */
export type NameUtterance = Pick<Utterance, 'utterance_id' | 'speaker' | 't_start' | 'text'>;

/** A name that was heard for a speaker. */
export interface SpokenName {
  speaker: string;
  name: string;
  /** `introduction`: the speaker says it. `address`: the other speaker does. */
  from: 'introduction' | 'address';
  /** Whether it is certain enough to be accepted as it stands. */
  sure: boolean;
  utterance_id: string;
  t_start: number;
  /** The words around the name. */
  quote: string;
}

/** Characters of an utterance that are read, and of a quote. */
const READ_CHARS = 2_000;
const QUOTE_CHARS = 120;

interface Mention {
  name: string;
  isSelf: boolean;
  /** Whether the words leave no doubt. */
  isPlain: boolean;
  utterance: NameUtterance;
  at: number;
}

/**
 * The names of speakers in what is said: people who introduce themselves, and who are addressed by the other of two.
 * A name is sure if its speaker says it in words that mean nothing else, or if a name that is said in other words is
 * said again by the other speaker; and if nothing contradicts it.
 */
export function spokenNames(timeline: readonly NameUtterance[], language: Language): SpokenName[] {
  const speakers = [...new Set(timeline.map(({ speaker }) => speaker))];
  const bySpeaker = new Map<string, Mention[]>();
  for (const utterance of timeline)
    for (const mention of mentionsIn(utterance, language)) {
      const other = speakers.length === 2 ? speakers.find((one) => one !== utterance.speaker) : undefined;
      const speaker = mention.isSelf ? utterance.speaker : other;
      if (speaker !== undefined) bySpeaker.set(speaker, [...(bySpeaker.get(speaker) ?? []), mention]);
    }
  const found = [...bySpeaker].flatMap(([speaker, mentions]) => namesOf(speaker, mentions));
  // A name of two speakers is not sure for either.
  return found.map((one) =>
    found.some((other) => other.speaker !== one.speaker && isSame(other.name, one.name))
      ? { ...one, sure: false }
      : one,
  );
}

/** The names of one speaker, the surest first. Parts of a longer name are not repeated. */
function namesOf(speaker: string, mentions: readonly Mention[]): SpokenName[] {
  const groups: Mention[][] = [];
  for (const mention of mentions) {
    const group = groups.find((known) => known.some(({ name }) => isSame(name, mention.name)));
    if (group) group.push(mention);
    else groups.push([mention]);
  }
  const isSure = (group: readonly Mention[]): boolean =>
    group.some(({ isSelf, isPlain }) => isSelf && isPlain) ||
    (group.some(({ isSelf }) => isSelf) && group.some(({ isSelf }) => !isSelf));
  const sure = groups.filter(isSure);
  const others = groups.filter((group) => !sure.includes(group));
  // Somebody else's name was said as well, so it is not clear whose the sure one is.
  const isContradicted = sure.length > 1 || others.some((group) => group.some(({ isSelf }) => isSelf));
  return [...sure, ...others].map((group) => {
    const best = group.reduce((most, one) => (rank(one) > rank(most) ? one : most));
    const { utterance, at, isSelf } = best;
    return {
      speaker,
      name: best.name,
      from: isSelf ? 'introduction' : 'address',
      sure: sure.includes(group) && !isContradicted,
      utterance_id: utterance.utterance_id,
      t_start: utterance.t_start,
      quote: quoteAt(utterance.text, at, best.name.length),
    };
  });
}

/** Prefers introductions, plain words and long names. */
const rank = ({ isSelf, isPlain, name }: Mention): number =>
  (isSelf ? 1_000 : 0) + (isPlain ? 500 : 0) + Math.min(name.length, 100);

/** Whether two names can be those of one person: one contains all words of the other, apart from titles. */
function isSame(a: string, b: string): boolean {
  const [one, two] = [a, b].map((name) => name.toLowerCase().split(' '));
  return one!.every((word) => two!.includes(word)) || two!.every((word) => one!.includes(word));
}

function* mentionsIn(utterance: NameUtterance, { names }: Language): Generator<Mention> {
  const text = utterance.text.slice(0, READ_CHARS);
  // In capitals, every word looks like a name.
  if (text === text.toUpperCase()) return;
  for (const { pattern, isSelf, isPlain } of names.mentions)
    for (const match of text.matchAll(pattern)) {
      const name = match.groups?.name?.replace(/[.,]$/, '').replace(/\s+/g, ' ') ?? '';
      const [first = ''] = name.split(' ');
      if (name.length < 2 || names.notNames.has(first.toLowerCase())) continue;
      yield { name, isSelf, isPlain, utterance, at: match.index + match[0].lastIndexOf(match.groups!.name!) };
    }
}

function quoteAt(text: string, at: number, length: number): string {
  if (text.length <= QUOTE_CHARS) return text;
  const from = Math.max(0, at - (QUOTE_CHARS - length) / 2);
  const start = from === 0 ? 0 : text.indexOf(' ', from) + 1;
  const piece = text.slice(start, start + QUOTE_CHARS);
  const end = start + QUOTE_CHARS >= text.length ? piece.length : piece.lastIndexOf(' ');
  return `${start > 0 ? '… ' : ''}${piece.slice(0, end)}${start + end < text.length ? ' …' : ''}`;
}
