import { words } from '../src/conversation/text/tokens.ts';
import { type Judgement, readDialogues } from '../support/own-data.ts';
import { agreementOf } from './agreement.ts';
import { type SummaryLine, statedShare, type WithFacts } from './facts.ts';
import type { Table } from './report.ts';

const lineOf = ({ turns, words: told }: Judgement['lines'][number], { turns: said }: WithFacts): SummaryLine => {
  const source = turns.flatMap((turn) => words(said[turn]?.text ?? ''));
  return { turns, text: told.map((word) => (typeof word === 'number' ? source[word] : word)).join(' ') };
};

/** Fractions of a fact's words from which a rule could count the fact as stated. */
const RULES = [1, 0.8, 0.6, 0.5];

/** Measures how often the rule that counts a fact as stated agrees with a person who read the fact and the summary. */
export function agreementTable(dialogues: readonly WithFacts[]): Table {
  const known = new Map(dialogues.map((dialogue) => [dialogue.id, dialogue]));
  const read = readDialogues('judge').flatMap(({ id, judgements = [] }) => judgements.map((j) => ({ id, ...j })));
  const pairs = read.map((judgement) => {
    const dialogue = known.get(judgement.id)!;
    const lines = judgement.lines.map((line) => lineOf(line, dialogue));
    return { ...judgement, share: statedShare(dialogue.facts[judgement.fact]!, lines) };
  });
  const readers = Math.max(...pairs.map(({ stated }) => stated.length));
  const rows = RULES.flatMap((least) =>
    Array.from({ length: readers }, (_, reader) => {
      const own = pairs.filter(({ stated }) => stated[reader] !== undefined);
      const both = own.map(({ share, stated }) => [share >= least, stated[reader]!] as const);
      const [same, kappa] = agreementOf(both);
      const of = (test: (pair: readonly [boolean, boolean]) => boolean) => both.filter(test).length;
      return [
        least === 1 ? 'all words' : `${least} of them`,
        `reader ${reader + 1}`,
        own.length,
        same,
        kappa,
        of(([rule, stated]) => rule && !stated),
        of(([rule, stated]) => !rule && stated),
      ];
    }),
  );
  const twice = pairs.flatMap(({ stated: [a, b] }) => (a === undefined || b === undefined ? [] : [[a, b] as const]));
  if (twice.length > 0) rows.push(['reader 1', 'reader 2', twice.length, ...agreementOf(twice), null, null] as never);
  const systems = [...new Set(pairs.map(({ system }) => system))];
  const stated = systems.map((system) => {
    const own = pairs.filter((pair) => pair.system === system).map((pair) => pair.stated[0]);
    return `${system} ${own.filter(Boolean).length} of ${own.length}`;
  });
  return {
    title: 'How often the rule agrees with a reader: is this fact stated by this summary?',
    columns: [
      'rule: a line holds',
      'against',
      'pairs',
      'same',
      'kappa',
      'rule alone says yes',
      'reader alone says yes',
    ],
    rows,
    note: `Facts drawn at random, each with a summary of equal length as it was at the time. Stated by the first reader: ${stated.join(', ')}.`,
  };
}
