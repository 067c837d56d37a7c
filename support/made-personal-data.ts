import type { RedactionKind } from '../src/contract/redaction.ts';
import { digits, int, pick } from './random.ts';

/** A word of a made dialogue, and what it belongs to. */
export interface MadeWord {
  text: string;
  kind?: RedactionKind;
}

export interface MadeUtterance {
  speaker: string;
  words: MadeWord[];
}

/** A dialogue with made personal data of one kind, or with numbers that are none. */
export interface MadeDialogue {
  kind: RedactionKind | null;
  /** The value as one writes it, without spaces; null where there is none. */
  value: string | null;
  utterances: MadeUtterance[];
}

type Random = () => number;

const DIGITS = 'zero one two three four five six seven eight nine'.split(' ');
const TEENS = 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const NATO =
  'alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey x-ray yankee zulu'.split(
    ' ',
  );
const AS_IN =
  'apple boy cat dog egg fox george house india john king lion mary nancy orange peter queen robert sugar tommy uncle victor william x-ray yellow zebra'.split(
    ' ',
  );
const MONTHS = 'January February March April May June July August September October November December'.split(' ');
const ORDINALS =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );
const NAMES = 'john mary smith carla perez nguyen oliver ruth patel jones anna weber lucas mills priya khan'.split(' ');
const HOSTS = ['gmail', 'hotmail', 'yahoo', 'outlook', 'icloud', 'brightfield', 'northwind'];

const twoDigits = (value: number): string =>
  value < 10
    ? `oh ${DIGITS[value]}`
    : value < 20
      ? TEENS[value - 10]!
      : `${TENS[Math.floor(value / 10) - 2]}${value % 10 === 0 ? '' : ` ${DIGITS[value % 10]}`}`;

/** A group of digits or letters as somebody says it. */
function said(random: Random, group: string): string {
  const words: string[] = [];
  for (let i = 0; i < group.length; ) {
    const char = group[i]!;
    let repeats = 1;
    while (group[i + repeats] === char) repeats++;
    if (/[A-Z]/u.test(char)) {
      const way = random();
      const letter = char.charCodeAt(0) - 65;
      words.push(
        way < 0.5 ? char : way < 0.75 ? NATO[letter]! : way < 0.9 ? `${char} for ${AS_IN[letter]}` : char.toLowerCase(),
      );
      i++;
      continue;
    }
    const word = char === '0' ? pick(random, ['zero', 'oh', 'oh', 'o']) : DIGITS[Number(char)]!;
    if (repeats >= 3 && random() < 0.7) {
      words.push(`triple ${word}`);
      i += 3;
    } else if (repeats >= 2 && random() < 0.7) {
      words.push(`double ${word}`);
      i += 2;
    } else {
      words.push(word);
      i++;
    }
  }
  return words.join(' ');
}

/** Groups said in one way: digit by digit, in pairs, or as a recogniser prints them. */
function saidGroups(random: Random, groups: readonly string[]): string[] {
  const way = random();
  const isNumeric = groups.every((group) => /^\d+$/u.test(group));
  if (isNumeric && way < 0.15 && groups.every((group) => group.length % 2 === 0))
    return groups.map((group) => (group.match(/../gu) ?? []).map((pair) => twoDigits(Number(pair))).join(' '));
  if (way < 0.3) return [...groups];
  if (way < 0.4) return groups.map((group) => [...group].join(' '));
  if (isNumeric && way < 0.45) return groups.map((group) => [...group].join('-'));
  return groups.map((group) => said(random, group));
}

/** Utterances in which somebody gives a value in groups, with pauses, interruptions and read-backs. */
function given(
  random: Random,
  kind: RedactionKind,
  groups: readonly string[],
  before: string,
  after: string,
): MadeUtterance[] {
  const spoken = saidGroups(random, groups);
  const marked = (text: string): MadeWord[] => text.split(' ').map((one) => ({ text: one, kind }));
  const plain = (text: string): MadeWord[] => (text === '' ? [] : text.split(' ').map((one) => ({ text: one })));
  const way = random();
  const own = (words: MadeWord[]): MadeUtterance => ({ speaker: 'Speaker_1', words });
  const other = (words: MadeWord[]): MadeUtterance => ({ speaker: 'Speaker_0', words });
  if (way < 0.45 || groups.length === 1) {
    const comma = random() < 0.6;
    const words = spoken.flatMap((group, i) => {
      const filler = i > 0 && random() < 0.12 ? plain(pick(random, ['uh', 'um', 'yes', '-', 'then'])) : [];
      const text = marked(group);
      if (comma && i < spoken.length - 1) text.at(-1)!.text += ',';
      return [...filler, ...text];
    });
    return [own([...plain(before), ...words, ...plain(after)])];
  }
  const utterances: MadeUtterance[] = [own([...plain(before), ...marked(spoken[0]!)])];
  for (const [i, group] of spoken.slice(1).entries()) {
    if (way < 0.65) utterances.push(other(plain(pick(random, ['mhm', 'okay', 'yes', 'right', 'go ahead', 'got it']))));
    else if (way < 0.8) utterances.push(other(marked(spoken[i]!)));
    utterances.push(own(marked(group)));
  }
  if (after !== '') utterances.at(-1)!.words.push(...plain(after));
  return utterances;
}

const luhn = (digits: string): string => {
  let sum = 0;
  for (const [i, digit] of [...digits].toReversed().entries()) {
    const value = i % 2 === 0 ? Number(digit) * 2 : Number(digit);
    sum += value > 9 ? value - 9 : value;
  }
  return digits + String((10 - (sum % 10)) % 10);
};

function card(random: Random): MadeDialogue {
  const isAmex = random() < 0.2;
  const value = isAmex ? luhn(`37${digits(random, 12)}`) : cardOf(random);
  const groups = isAmex ? [value.slice(0, 4), value.slice(4, 10), value.slice(10)] : value.match(/..../gu)!;
  return dialogue(random, 'card', value, groups, [
    ['Can I have the card number please?', ['Sure, it is', 'Yes', '', 'Okay so', 'One second. It is']],
    ['How would you like to pay?', ['By card, that is', 'My Visa is', 'You can charge']],
    [null, ['My card number is', 'I was charged on', 'The long number is', 'Please use']],
  ]);
}

function cardOf(random: Random): string {
  const start = pick(random, ['4', '51', '53', '55', '4']);
  return luhn(start + digits(random, 15 - start.length));
}

function phone(random: Random): MadeDialogue {
  const isUk = random() < 0.4;
  const value = isUk
    ? `07${pick(random, ['400', '712', '911', '790'])}${digits(random, 6)}`
    : `${pick(random, ['212', '415', '617', '303', '206'])}${int(random, 2, 9)}${digits(random, 2)}${digits(random, 4)}`;
  const groups = isUk
    ? [value.slice(0, 5), value.slice(5, 8), value.slice(8)]
    : [value.slice(0, 3), value.slice(3, 6), value.slice(6)];
  return dialogue(random, 'phone', value, groups, [
    ['What is the best number to reach you on?', ['It is', '', 'Try', 'You can use']],
    ['And a phone number in case we are cut off?', ['Yes,', 'Sure.', '']],
    [null, ['Call me back on', 'My mobile is', 'You can reach me at', 'My number is']],
  ]);
}

function ssn(random: Random): MadeDialogue {
  const area = int(random, 1, 665);
  const value = `${String(area).padStart(3, '0')}${String(int(random, 1, 99)).padStart(2, '0')}${String(int(random, 1, 9999)).padStart(4, '0')}`;
  return dialogue(
    random,
    'ssn',
    value,
    [value.slice(0, 3), value.slice(3, 5), value.slice(5)],
    [
      ['Could you confirm your social security number?', ['It is', '', 'Yes,', 'Sure, that is']],
      ['And your social?', ['', 'Okay,']],
      [null, ['My social is', 'My social security number is', 'The SSN is']],
    ],
  );
}

/** Lengths and bank codes of some countries. */
const IBANS: readonly [string, (random: Random) => string][] = [
  ['GB', (random) => `${pick(random, ['NWBK', 'BARC', 'LOYD', 'MIDL'])}${digits(random, 14)}`],
  ['DE', (random) => digits(random, 18)],
  ['IE', (random) => `AIBK${digits(random, 14)}`],
  ['NL', (random) => `${pick(random, ['ABNA', 'INGB', 'RABO'])}${digits(random, 10)}`],
];

function iban(random: Random): MadeDialogue {
  const [country, bban] = pick(random, IBANS);
  const account = bban(random);
  const numeric = [...`${account}${country}00`].map((c) => (/\d/u.test(c) ? c : String(c.charCodeAt(0) - 55))).join('');
  const check = String(98n - (BigInt(numeric) % 97n)).padStart(2, '0');
  const value = `${country}${check}${account}`;
  return dialogue(random, 'iban', value, value.match(/.{1,4}/gu)!, [
    ['What is the IBAN of the account?', ['It is', '', 'Sure,']],
    [null, ['The IBAN is', 'Please transfer it to', 'My IBAN is']],
  ]);
}

function dob(random: Random): MadeDialogue {
  const [day, month, year] = [int(random, 1, 28), int(random, 1, 12), int(random, 1930, 2008)];
  const saidYear = pick(random, [
    String(year),
    year < 2000
      ? `nineteen ${twoDigits(year % 100)}`
      : year === 2000
        ? 'two thousand'
        : `two thousand and ${DIGITS[year % 10]}`,
    year < 2000 && year % 100 > 31 ? twoDigits(year % 100) : String(year),
  ]);
  const two = (n: number) => String(n).padStart(2, '0');
  const form = pick(random, [
    `the ${ORDINALS[day - 1]} of ${MONTHS[month - 1]} ${saidYear}`,
    `${MONTHS[month - 1]} ${ORDINALS[day - 1]} ${saidYear}`,
    `${MONTHS[month - 1]} the ${ORDINALS[day - 1]}, ${saidYear}`,
    `${day}${day % 10 === 1 && day !== 11 ? 'st' : day % 10 === 2 && day !== 12 ? 'nd' : day % 10 === 3 && day !== 13 ? 'rd' : 'th'} of ${MONTHS[month - 1]} ${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${twoDigits(day)} ${twoDigits(month)} ${year < 2000 ? `nineteen ${twoDigits(year % 100)}` : year}`,
    `the ${ORDINALS[day - 1]} of the ${ORDINALS[month - 1]} ${saidYear}`,
    [...`${two(day)}${two(month)}${year}`].map((digit) => DIGITS[Number(digit)]).join(' '),
  ]);
  return dialogue(
    random,
    'dob',
    `${year}-${two(month)}-${two(day)}`,
    [form],
    [
      ['And your date of birth please?', ['It is', '', 'Yes,', 'Sure,']],
      ['When were you born?', ['', 'On']],
      [null, ['My date of birth is', 'I was born on', 'My birthday is']],
    ],
    true,
  );
}

function email(random: Random): MadeDialogue {
  const first = pick(random, NAMES);
  const last = pick(random, NAMES);
  const number = random() < 0.5 ? String(int(random, 10, 99)) : '';
  const host = pick(random, HOSTS);
  const ending = pick(random, ['com', 'com', 'com', 'co.uk', 'org']);
  const joiner = pick(random, ['.', '_', '']);
  const value = `${first}${joiner}${last}${number}@${host}.${ending}`;
  const join = joiner === '.' ? ' dot ' : joiner === '_' ? ' underscore ' : ' ';
  const spokenNumber = number === '' ? '' : ` ${random() < 0.5 ? number : twoDigits(Number(number))}`;
  const spelled =
    random() < 0.25
      ? [...last]
          .map((c) => (random() < 0.5 ? c.toUpperCase() : `${c.toUpperCase()} for ${AS_IN[c.charCodeAt(0) - 97]}`))
          .join(' ')
      : last;
  const form = pick(random, [
    value,
    `${first}${join}${spelled}${spokenNumber} at ${host} dot ${ending.replace('.', ' dot ')}`,
    `${first}${join}${spelled}${spokenNumber} at ${host} dot ${ending.replace('.', ' dot ')}`,
    `${first}${join}${last}${spokenNumber} at ${host}.${ending}`,
  ]);
  return dialogue(
    random,
    'email',
    value,
    [form],
    [
      ['What is your email address?', ['It is', '', 'Sure,', 'Yes, it is']],
      [null, ['My email is', 'You can write to', 'Send it to my email,']],
    ],
    true,
  );
}

function account(random: Random): MadeDialogue {
  const value = digits(random, 8);
  return dialogue(
    random,
    'account',
    value,
    [value.slice(0, 4), value.slice(4)],
    [
      ['What is your account number?', ['It is', '', 'Sure,']],
      [null, ['My account number is', 'The policy number is', 'It went to account']],
    ],
  );
}

function postcode(random: Random): MadeDialogue {
  const letter = () => String.fromCharCode(65 + int(random, 0, 25));
  const area = pick(random, ['SW', 'M', 'LS', 'GU', 'EC', 'B']);
  const value = `${area}${int(random, 1, 9)}${random() < 0.3 ? int(random, 0, 9) : ''} ${int(random, 1, 9)}${letter()}${letter()}`;
  return dialogue(random, 'postcode', value.replace(' ', ''), value.split(' '), [
    ['And the postcode?', ['It is', '', 'Sure,']],
    [null, ['My postcode is', 'The post code is', 'I live at postcode']],
  ]);
}

function password(random: Random): MadeDialogue {
  const value = random() < 0.5 ? digits(random, 4) : `${pick(random, NAMES)}${digits(random, 3)}`;
  return dialogue(
    random,
    'password',
    value,
    [value],
    [
      ['What is your PIN?', ['It is', '']],
      [null, ['My password is', 'The passcode is', 'My pin is']],
    ],
    !/^\d+$/u.test(value),
  );
}

type Lead = [question: string | null, starts: string[]];

function dialogue(
  random: Random,
  kind: RedactionKind,
  value: string,
  groups: readonly string[],
  leads: readonly Lead[],
  isWhole = false,
): MadeDialogue {
  const [question, starts] = pick(random, leads);
  const after = random() < 0.3 ? pick(random, ['and that is all.', 'if that helps.', 'thank you.', 'please.']) : '';
  const before = pick(random, starts);
  const plain = (text: string): MadeWord[] =>
    text
      .split(' ')
      .filter((one) => one !== '')
      .map((one) => ({ text: one }));
  const utterances: MadeUtterance[] = [];
  utterances.push({ speaker: 'Speaker_0', words: plain(pick(random, SMALL_TALK)) });
  if (question !== null) utterances.push({ speaker: 'Speaker_0', words: plain(question) });
  if (isWhole)
    utterances.push({
      speaker: 'Speaker_1',
      words: [
        ...plain(before),
        ...groups[0]!.split(' ').map((text, i) => (i === 0 && text === 'the' ? { text } : { text, kind })),
        ...plain(after),
      ],
    });
  else utterances.push(...given(random, kind, groups, before, after));
  utterances.push({ speaker: 'Speaker_0', words: plain(pick(random, CLOSING)) });
  return { kind, value, utterances };
}

const SMALL_TALK = [
  'Thank you for calling, how can I help you today?',
  'Right, let me pull up your details.',
  'Okay, I just need one more thing.',
  'I see two open requests from last week.',
];
const CLOSING = [
  'Perfect, thank you.',
  'Great, that is all updated for you now.',
  'Okay, give me one minute while I check that.',
  'Thanks. The fee is 25 dollars and it takes 3 to 5 days.',
];

/** Numbers that are nothing personal. */
function nothing(random: Random): MadeDialogue {
  const line = pick(random, [
    `The order number is ${digits(random, 8)}.`,
    `Your tracking number is ${digits(random, 12)}.`,
    `It costs ${int(random, 10, 900)} dollars for ${int(random, 2, 12)} months.`,
    `The meeting is at ${int(random, 1, 12)}:30 on the ${ORDINALS[int(random, 0, 27)]} of ${pick(random, MONTHS)} ${int(random, 2024, 2027)}.`,
    `Flight ${said(random, digits(random, 3))} leaves at ten fifteen from gate ${int(random, 1, 60)}.`,
    `We sold one hundred and twenty three units in two thousand and twenty four.`,
    `Your reference is ${said(random, digits(random, 6))}, please keep it.`,
    `I have called four or five times, and I waited twenty two minutes each time.`,
    `You can look at our site at northwind dot com for more.`,
    `Take a look at brightfield dot org for the two or three offers.`,
    `There were ${digits(random, 5)} people in the stadium in 1998.`,
    `The invoice ${digits(random, 7)} was for 1,250.00 pounds.`,
    `We go back to nineteen eighty four with that one.`,
    `The model is X ${int(random, 100, 900)} and the version is ${int(random, 1, 9)}.${int(random, 0, 9)}.`,
  ]);
  const words = line.split(' ').map((text) => ({ text }));
  const other = pick(random, SMALL_TALK)
    .split(' ')
    .map((text) => ({ text }));
  return {
    kind: null,
    value: null,
    utterances: [
      { speaker: 'Speaker_0', words: other },
      { speaker: pick(random, ['Speaker_0', 'Speaker_1']), words },
      {
        speaker: 'Speaker_1',
        words: pick(random, CLOSING)
          .split(' ')
          .map((text) => ({ text })),
      },
    ],
  };
}

const MAKERS = { card, phone, ssn, iban, dob, email, account, postcode, password } as const;
export const MADE_KINDS = Object.keys(MAKERS) as (keyof typeof MAKERS)[];

/** A dialogue with one value of a kind, said in one of many ways; null: numbers that are nothing personal. */
export const madeDialogue = (random: Random, kind: keyof typeof MAKERS | null): MadeDialogue =>
  kind === null ? nothing(random) : MAKERS[kind](random);
