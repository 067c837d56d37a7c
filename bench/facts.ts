import type { ConversationSummary } from '../src/contract/findings.ts';
import { languageOf } from '../src/conversation/languages.ts';
import { words } from '../src/conversation/text/tokens.ts';
import { type Fact, type MarkedDialogue, readDialogues } from '../support/own-data.ts';
import { judgeSet } from './moments/judge-set.ts';

/** A conversation with the facts that two readers want stated about it. */
export interface WithFacts extends MarkedDialogue {
  facts: Fact[];
}

export function dialoguesWithFacts(): WithFacts[] {
  const known = new Map(judgeSet().map((dialogue) => [dialogue.id, dialogue]));
  return readDialogues('judge').flatMap(({ id, facts: readings }) =>
    readings ? [{ ...known.get(id)!, facts: readings.flatMap(({ facts }) => facts) }] : [],
  );
}

/** A line of a summary with the turns that support it. */
export interface SummaryLine {
  text: string;
  turns: number[];
}

/** The overview and the key insights, line by line. `utt_3` is turn 3. */
export function linesOf({ overview, key_insights, evidence }: ConversationSummary): SummaryLine[] {
  return evidence
    .filter(({ text }) => overview.includes(text) || key_insights.includes(text))
    .map(({ text, utterance_ids }) => ({ text, turns: utterance_ids.map((id) => Number(id.split('_').at(-1))) }));
}

/** The first lines up to this many words in total. The last line is cut. */
export function shortened(lines: readonly SummaryLine[], count: number): SummaryLine[] {
  let left = count;
  const kept: SummaryLine[] = [];
  for (const { text, turns } of lines) {
    const said = text.split(/\s+/).filter(Boolean);
    if (left <= 0) break;
    kept.push({ text: said.slice(0, left).join(' '), turns });
    left -= said.length;
  }
  return kept;
}

const stemsOf = (text: string): Set<string> => new Set(words(text).map(languageOf('en').words.stem));

/**
 * The largest fraction, 0 to 1, of a fact's content words in one line supported by its turns. A fact counts as stated
 * if all are present. Under the weaker rule, `half` of them is enough.
 */
export function statedShare({ turns, words: content }: Fact, lines: readonly SummaryLine[]): number {
  const wanted = [...stemsOf(content.join(' '))];
  const shares = lines
    .filter((line) => line.turns.some((turn) => turns.includes(turn)))
    .map(({ text }) => {
      const held = stemsOf(text);
      return wanted.filter((word) => held.has(word)).length / Math.max(1, wanted.length);
    });
  return Math.max(0, ...shares);
}
