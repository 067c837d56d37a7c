import { agreementOf } from '../agreement.ts';
import type { Table } from '../report.ts';
import type { Key } from './sheets.ts';

type Aspect = 'owner' | 'deed' | 'date';

/** A commitment that a reader found without knowing what the service found. */
interface Found {
  dialogue: string;
  turn: number;
  owner: string;
}

export interface ReaderAnswers {
  /** Number of a commitment on the sheet -> what of it is right. */
  marks: Map<number, Record<Aspect, boolean>>;
  found: Found[];
}

const MARKS = /^(\d+) ([RW]) ([RW]) ([RW-])$/;
const FOUND = /^P (D\d+) (\d+) (\S+) (?:\d{4}-\d{2}-\d{2}|-) \S.*$/;

/** The answers of a reader. @throws with the line that cannot be read, or the numbers that have no marks */
export function readAnswers(text: string, key: Key): ReaderAnswers {
  const answers: ReaderAnswers = { marks: new Map(), found: [] };
  const numbers = new Set(key.told.map(({ number }) => number));
  for (const [i, line] of text.split('\n').entries()) {
    const spoken = line.trim();
    if (spoken === '') continue;
    const marks = MARKS.exec(spoken);
    const found = FOUND.exec(spoken);
    if (marks && numbers.has(Number(marks[1])) && !answers.marks.has(Number(marks[1])))
      answers.marks.set(Number(marks[1]), { owner: marks[2] === 'R', deed: marks[3] === 'R', date: marks[4] === 'R' });
    else if (found && found[1]! in key.dialogues)
      answers.found.push({ dialogue: found[1]!, turn: Number(found[2]), owner: found[3]! });
    else
      throw new Error(
        `Line ${i + 1} cannot be read, or marks a number again or one that is not on the sheet: ${spoken}`,
      );
  }
  const missing = [...numbers].filter((number) => !answers.marks.has(number));
  if (missing.length > 0) throw new Error(`No marks for ${missing.join(', ')}`);
  return answers;
}

/** Distance of two places, turns, up to which they are of the same commitment: a request and its answer are two turns. */
const NEAR_TURNS = 1;
const isSame = (a: Found, b: { dialogue: string; turn: number; owner: string | null }): boolean =>
  a.dialogue === b.dialogue && a.owner === b.owner && Math.abs(a.turn - b.turn) <= NEAR_TURNS;

/** A share with its interval of 95 % (Wilson 1927). */
function share(part: number, of: number): string {
  if (of === 0) return '-';
  const [p, z] = [part / of, 1.96];
  const middle = p + z ** 2 / (2 * of);
  const half = z * Math.sqrt((p * (1 - p)) / of + z ** 2 / (4 * of ** 2));
  const bound = (sign: number) => ((middle + sign * half) / (1 + z ** 2 / of)).toFixed(2);
  return `${p.toFixed(2)} (${bound(-1)} to ${bound(1)})`;
}

/** The tables of two readers: precision with their agreement, by corpus, and recall. */
export function scoreTables(key: Key, [a, b]: readonly [ReaderAnswers, ReaderAnswers]): Table[] {
  const right = ({ marks }: ReaderAnswers, aspect: Aspect, told = key.told) =>
    told.filter(({ number }) => marks.get(number)![aspect]).length;
  const precision = (name: string, aspect: Aspect, told: Key['told']): Table['rows'][number] => {
    const pairs = told.map(({ number }) => [a.marks.get(number)![aspect], b.marks.get(number)![aspect]] as const);
    const both = pairs.filter(([first, second]) => first && second).length;
    const cells = [right(a, aspect, told), right(b, aspect, told), both].map((part) => share(part, told.length));
    return [name, told.length, ...cells, ...agreementOf(pairs)];
  };
  const corpora = [...new Set(Object.values(key.dialogues).map(({ corpus }) => corpus))].sort();
  const dated = key.told.filter(({ isDated }) => isDated);
  const sure = key.told.filter(({ isUnsure }) => !isUnsure);
  const inDraw = ({ dialogue }: { dialogue: string }) => key.dialogues[dialogue]!.draw === 'all';
  const [mine, yours] = [a.found.filter(inDraw), b.found.filter(inDraw)];
  const both = mine.filter((one) => yours.some((other) => isSame(one, other)));
  const recall = (name: string, found: readonly Found[]): Table['rows'][number] => {
    const told = found.filter((one) => key.told.some((other) => isSame(one, other))).length;
    return [name, found.length, told, share(told, found.length)];
  };
  return [
    {
      title: 'Commitments that the service finds, marked by two readers: share that is right (95 %)',
      columns: ['what', 'told', 'reader A', 'reader B', 'right for both', 'agreement', 'kappa'],
      rows: [
        precision('owner', 'owner', key.told),
        precision('deed', 'deed', key.told),
        precision('date, or that none was said', 'date', sure),
        precision('date, where a day was told', 'date', dated),
        ...corpora.map((corpus) =>
          precision(
            `deed, ${corpus}`,
            'deed',
            key.told.filter(({ dialogue }) => key.dialogues[dialogue]!.corpus === corpus),
          ),
        ),
      ],
      note: `${key.told.length - sure.length} dates are reported as unsure. ${Object.keys(key.dialogues).length} dialogues, half of them drawn from those in which the service finds a commitment.`,
    },
    {
      title:
        'Commitments that the readers find in the other half, which is drawn from all dialogues: share that is told (95 %)',
      columns: ['found by', 'found', 'told', 'recall'],
      rows: [recall('reader A', mine), recall('reader B', yours), recall('both', both)],
      note: 'The same owner, at most one turn apart.',
    },
  ];
}
