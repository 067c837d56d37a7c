/**
 * Redaction of words by kind, each kind alone. A value counts as found if none of its words is left, under whatever
 * label, and a label as right if it stands on a value of its kind. Beside it, rules for written text with the same
 * libraries (the patterns that Presidio documents: a pattern, and its check digits), without context and without
 * spoken forms.
 *
 *   npm run bench -- redaction [--misses kind]
 */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import cards from 'card-validator';
import { isValidIBAN } from 'ibantools';
import { findPhoneNumbersInText } from 'libphonenumber-js/max';
import { EVAL_DATA, evalPath } from '../scripts/eval-data.ts';
import { REDACTION_KINDS, type RedactionKind } from '../src/contract/redaction.ts';
import { type Mask, Redactor } from '../src/conversation/redaction/redactor.ts';
import { MADE_KINDS, madeDialogue } from '../support/made-personal-data.ts';
import { seeded } from '../support/random.ts';
import { namesAndAddresses, namesInOrdinary } from './redaction-names.ts';
import { report, type Table } from './report.ts';

interface Labelled {
  speaker: string;
  words: { text: string; value?: number; kind?: string }[];
}
type Dialogue = Labelled[];
type Finder = (dialogue: Dialogue, kind: RedactionKind) => Mask[][];

const MADE = { each: 600, nothing: 1_500, seed: 7 } as const;
const missesOf = process.argv[process.argv.indexOf('--misses') + 1];
const showsMisses = process.argv.includes('--misses');

const ours: Finder = (dialogue, kind) => {
  const redactor = new Redactor<number>([kind]);
  const settled = dialogue.flatMap(({ speaker, words }, i) =>
    redactor.add(i, { speaker, words: words.map(({ text }) => text) }),
  );
  return [...settled, ...redactor.end()].map(({ masks }) => masks);
};

const PATTERNS: Partial<Record<RedactionKind, RegExp>> = {
  card: /\b(?:\d[ -]?){12,18}\d\b/gu,
  ssn: /\b(?!000|666)\d{3}[- ]?(?!00)\d{2}[- ]?(?!0000)\d{4}\b/gu,
  iban: /\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{1,4}){3,8}\b/gu,
  email: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/gu,
  dob: /\b(?:\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}|\d{4}-\d{2}-\d{2})\b/gu,
  postcode: /\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{5}(?:-\d{4})?)\b/gu,
};

const isChecked = (kind: RedactionKind, text: string): boolean =>
  kind === 'card'
    ? cards.number(text.replace(/\D/gu, '')).isValid
    : kind === 'iban'
      ? isValidIBAN(text.replace(/ /gu, ''))
      : true;

const writtenRules: Finder = (dialogue, kind) =>
  dialogue.map(({ words }) => {
    const text = words.map((word) => word.text).join(' ');
    const ranges =
      kind === 'phone'
        ? findPhoneNumbersInText(text, 'US').map(({ startsAt, endsAt }) => [startsAt, endsAt] as const)
        : [...text.matchAll(PATTERNS[kind] ?? /(?!)/gu)]
            .filter(([match]) => isChecked(kind, match))
            .map((match) => [match.index, match.index + match[0].length] as const);
    const masks: Mask[] = [];
    let at = 0;
    for (const [i, word] of words.entries()) {
      const end = at + word.text.length;
      if (ranges.some(([from, to]) => from < end && to > at)) {
        const last = masks.at(-1);
        if (last?.to === i - 1) last.to = i;
        else masks.push({ kind, from: i, to: i });
      }
      at = end + 1;
    }
    return masks;
  });

interface Score {
  values: number;
  found: number;
  labels: number;
  right: number;
}

function scored(dialogues: readonly Dialogue[], kind: RedactionKind, truth: readonly string[], find: Finder): Score {
  const score = { values: 0, found: 0, labels: 0, right: 0 };
  for (const dialogue of dialogues) {
    const masks = find(dialogue, kind);
    const left = new Map<number, boolean>();
    for (const [u, { words }] of dialogue.entries())
      for (const [i, { value, kind: own }] of words.entries()) {
        if (value === undefined || !truth.includes(own ?? '')) continue;
        const isMasked = masks[u]!.some(({ from, to }) => i >= from && i <= to);
        left.set(value, (left.get(value) ?? false) || !isMasked);
      }
    score.values += left.size;
    score.found += [...left.values()].filter((isLeft) => !isLeft).length;
    let isWrong = false;
    for (const [u, all] of masks.entries())
      for (const { from, to } of all) {
        const kinds = dialogue[u]!.words.slice(from, to + 1).map((word) => word.kind ?? '');
        const isRight = kinds.some((one) => truth.includes(one));
        // The marks of an address do not say where its postcode is.
        if (!isRight && kind === 'postcode' && kinds.every((one) => one === 'STREET_ADDRESS')) continue;
        score.labels++;
        if (isRight) score.right++;
        else isWrong = true;
      }
    if (showsMisses && missesOf === kind && find === ours && (isWrong || [...left.values()].includes(true)))
      console.error(
        `${isWrong ? 'FALSE ' : ''}${[...left.values()].includes(true) ? 'MISS' : ''} ${dialogue
          .map(({ words }, u) =>
            words
              .map(({ text, kind: own }, i) => {
                const mask = masks[u]!.find(({ from, to }) => i >= from && i <= to);
                return `${mask ? `<${text}>` : text}${truth.includes(own ?? '') ? '*' : ''}`;
              })
              .join(' '),
          )
          .join(' / ')}`,
      );
  }
  return score;
}

const share = (some: number, all: number): number | null => (all === 0 ? null : some / all);

function table(
  title: string,
  rows: readonly (readonly [RedactionKind, readonly string[]])[],
  of: (kind: RedactionKind) => readonly Dialogue[],
  note: string,
): Table {
  const shown = showsMisses ? rows.filter(([kind]) => kind === missesOf) : rows;
  return {
    title,
    columns: ['kind', 'values', 'recall', 'precision', 'recall of written rules', 'precision of written rules'],
    rows: shown.map(([kind, truth]) => {
      const dialogues = of(kind);
      const own = scored(dialogues, kind, truth, ours);
      const rules = showsMisses ? own : scored(dialogues, kind, truth, writtenRules);
      const hasRules = kind === 'phone' || PATTERNS[kind] !== undefined;
      return [
        kind,
        own.values,
        share(own.found, own.values),
        share(own.right, own.labels),
        hasRules ? share(rules.found, rules.values) : null,
        hasRules ? share(rules.right, rules.labels) : null,
      ];
    }),
    note,
  };
}

function made(): Table {
  const random = seeded(MADE.seed);
  const labelled = (kind: (typeof MADE_KINDS)[number] | null): Dialogue =>
    madeDialogue(random, kind).utterances.map(({ speaker, words }) => ({
      speaker,
      words: words.map(({ text, kind: own }) => (own ? { text, kind: own, value: 0 } : { text })),
    }));
  const byKind = new Map(MADE_KINDS.map((kind) => [kind, Array.from({ length: MADE.each }, () => labelled(kind))]));
  const nothing = Array.from({ length: MADE.nothing }, () => labelled(null));
  const rows = MADE_KINDS.map((kind) => [kind, [kind]] as const);
  // Precision counts against everything: the other kinds and the numbers that are nothing personal.
  const all = [...[...byKind.values()].flat(), ...nothing];
  return table(
    'Made spoken forms',
    rows,
    () => all,
    `${MADE.each} values of each kind, said in groups, pairs, doubles, letters, across pauses, interruptions and read-backs (support/made-personal-data.ts), and ${MADE.nothing} dialogues with numbers that are nothing personal; a label on a value of another kind is wrong.`,
  );
}

const tokens = (text: string): { text: string; start: number; end: number }[] =>
  [...text.matchAll(/\S+/gu)].map((match) => ({
    text: match[0],
    start: match.index,
    end: match.index + match[0].length,
  }));

function presidio(): Table {
  const samples = JSON.parse(readFileSync(evalPath('pii', 'presidio_synth_v2.json'), 'utf8')) as {
    full_text: string;
    spans: { entity_type: string; start_position: number; end_position: number }[];
  }[];
  const dialogues = samples.map(
    ({ full_text, spans }): Dialogue => [
      {
        speaker: 'Speaker_0',
        words: tokens(full_text).map(({ text, start, end }) => {
          const value = spans.findIndex((span) => span.start_position < end && span.end_position > start);
          return value < 0 ? { text } : { text, value, kind: spans[value]!.entity_type };
        }),
      },
    ],
  );
  return table(
    'Written text: Presidio synthetic set',
    [
      ['card', ['CREDIT_CARD']],
      ['phone', ['PHONE_NUMBER']],
      ['ssn', ['US_SSN']],
      ['iban', ['IBAN_CODE']],
      ['email', ['EMAIL_ADDRESS']],
      ['postcode', ['ZIP_CODE']],
    ],
    () => dialogues,
    '1,500 sentences of presidio-research. Its set has no cards with a valid number from some issuers, and phones of many countries without their code. A postcode in a marked address is neither right nor wrong.',
  );
}

function evi(): Table {
  const lines = gunzipSync(readFileSync(evalPath('pii', 'evi.dialogues.en.tsv.gz')))
    .toString()
    .trim()
    .split('\n')
    .slice(1);
  const QUESTIONS = {
    dob: 'What is your date of birth?',
    postcode: 'What is your postcode?',
    name: 'What is your full name?',
  };
  const KIND_OF: Readonly<Record<string, keyof typeof QUESTIONS>> = { dob: 'dob', postcode: 'postcode', name: 'name' };
  const FILLERS = new Set(
    "the of and is it it's its my um uh yes that's a in on date birth postcode post code name for as to i was born so sorry no like oh no. hello hi full first last".split(
      ' ',
    ),
  );
  const dialogues = lines.flatMap((line): { kind: RedactionKind; dialogue: Dialogue }[] => {
    const [, , , , item = '', , , , transcription = ''] = line.split('\t');
    const kind = KIND_OF[item];
    const words = transcription.split(/\s+/u).filter((word) => word !== '');
    if (!kind || words.length === 0) return [];
    const question = QUESTIONS[kind].split(' ').map((text) => ({ text }));
    const reply = words.map((text) => (FILLERS.has(text.toLowerCase()) ? { text } : { text, kind, value: 0 }));
    return [
      {
        kind,
        dialogue: [
          { speaker: 'Speaker_0', words: question },
          { speaker: 'Speaker_1', words: reply },
        ],
      },
    ];
  });
  return table(
    'EVI: replies on the telephone as a recogniser printed them',
    [
      ['dob', ['dob']],
      ['postcode', ['postcode']],
    ],
    (kind) => dialogues.filter((one) => one.kind === kind).map(({ dialogue }) => dialogue),
    'Every word of a reply belongs to its value, also what was misheard ("sex"), except common fillers. The question is put before it, as the caller heard it. Precision has no meaning here: there is nothing else.',
  );
}

function multidogo(): Table {
  const lines = gunzipSync(readFileSync(evalPath('pii', 'multidogo-customer.jsonl.gz')))
    .toString()
    .trim()
    .split('\n');
  const turns = lines.map((line) => JSON.parse(line) as { conv: string; turn: number; text: string; slots: string[] });
  const byConversation = Map.groupBy(turns, ({ conv }) => conv);
  const dialogues = [...byConversation.values()].map((all): Dialogue => {
    let value = 0;
    return all.map(({ text, slots }) => {
      let previous = '';
      return {
        speaker: 'Speaker_1',
        words: text.split(' ').map((word, i) => {
          const slot = slots[i] ?? 'O';
          if (slot !== previous) value++;
          previous = slot;
          return slot === 'O' ? { text: word } : { text: word, kind: slot, value };
        }),
      };
    });
  });
  return table(
    'MultiDoGO: turns of customers in chats',
    [
      ['phone', ['phone_number', 'phonenumber']],
      ['email', ['email_address']],
      ['ssn', ['ssn']],
      ['account', ['account_number', 'account_id', 'policyid']],
      ['password', ['password']],
      ['postcode', ['current_zipcode', 'new_zipcode']],
    ],
    () => dialogues,
    'Only one side, without the questions, in lower case and without punctuation; labels are noisy. Many values are four digits that nothing but the absent question explains.',
  );
}

/** Kinds with a form of their own: names, addresses and any digits are looked for on request alone. */
const NUMBERED = REDACTION_KINDS.filter((kind) => !['name', 'address', 'digits'].includes(kind));
/** Most dialogues of a corpus that are read. */
const MOST_DIALOGUES = 400;

type Turns = { speaker: string; text: string }[];
const zipped = (file: string): Turns[] =>
  gunzipSync(readFileSync(evalPath('dialogues', file)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { turns: Turns }).turns);
const chats = (): Turns[] =>
  (
    JSON.parse(readFileSync(evalPath('conversations', 'casino', 'train.json'), 'utf8')) as {
      chat_logs: { text: string; id: string }[];
    }[]
  ).map(({ chat_logs }) => chat_logs.map(({ text, id }) => ({ text, speaker: id })));
const meetings = (): Turns[] =>
  readFileSync(evalPath('conversations', 'qmsum', 'val.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { meeting_transcripts: { speaker: string; content: string }[] })
    .map(({ meeting_transcripts }) => meeting_transcripts.map(({ speaker, content }) => ({ speaker, text: content })));

/** How often real dialogues are labelled or doubted. */
function ordinary(): Table {
  const corpora: [string, Turns[]][] = [
    ['OSCE: interviews of patients', zipped('osce-interviews.jsonl.gz')],
    ['MTS-Dialog: visits to doctors', zipped('mts-dialog.jsonl.gz')],
    ['ACI-Bench: visits, record numbers said', zipped('aci-bench.jsonl.gz')],
    ['Persuasion for Good: requests to donate', zipped('persuasion-for-good.jsonl.gz')],
    ['CaSiNo: negotiations', chats()],
    ['QMSum: meetings of an hour', meetings()],
    ['PriMock57: consultations, births said', zipped('primock57.jsonl.gz')],
  ];
  return {
    title: 'Real dialogues: how many get a label, and a note that something may be left (verified: false)',
    columns: ['dialogues', 'read', 'with a label', 'with a note', 'with a note and no label'],
    rows: corpora.map(([name, dialogues]) => {
      const read = dialogues.slice(0, MOST_DIALOGUES);
      const outcomes = read.map((turns) => {
        const redactor = new Redactor<null>(NUMBERED);
        const all = turns.flatMap(({ speaker, text }) =>
          redactor.add(null, { speaker, words: text.split(/\s+/u).filter((word) => word !== '') }),
        );
        all.push(...redactor.end());
        return {
          isLabelled: all.some(({ masks }) => masks.length > 0),
          isDoubted: all.some(({ doubts }) => doubts.length > 0),
        };
      });
      const of = (test: (one: (typeof outcomes)[number]) => boolean) =>
        outcomes.filter(test).length / Math.max(1, outcomes.length);
      return [
        name,
        read.length,
        of((one) => one.isLabelled),
        of((one) => one.isDoubted),
        of((one) => one.isDoubted && !one.isLabelled),
      ];
    }),
    note: 'All kinds but name, address and digits. Only PriMock57 and ACI-Bench contain values: dates of birth, postcodes, record numbers.',
  };
}

const tables = [made()];
if (!process.argv.includes('--made') && existsSync(join(EVAL_DATA, 'pii')))
  tables.push(presidio(), evi(), multidogo(), namesAndAddresses(), namesInOrdinary(), ordinary());
report('redaction', tables);
