/** Word errors against a reference of `words` words. */
export interface EditCounts {
  substitutions: number;
  deletions: number;
  insertions: number;
  words: number;
}

export const NO_EDITS: EditCounts = { substitutions: 0, deletions: 0, insertions: 0, words: 0 };

export const errorsOf = ({ substitutions, deletions, insertions }: EditCounts): number =>
  substitutions + deletions + insertions;

/** Word error rate, which may exceed 1. */
export const wordErrorRate = (counts: EditCounts): number => errorsOf(counts) / Math.max(1, counts.words);

export const addEdits = (a: EditCounts, b: EditCounts): EditCounts => ({
  substitutions: a.substitutions + b.substitutions,
  deletions: a.deletions + b.deletions,
  insertions: a.insertions + b.insertions,
  words: a.words + b.words,
});

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'zero ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS: Record<string, string> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function cardinal(n: number): string {
  const rest = (unit: number, name: string) =>
    `${cardinal(Math.floor(n / unit))} ${name}${n % unit ? ` ${cardinal(n % unit)}` : ''}`;
  if (n < 20) return ONES[n]!;
  if (n < 100) return `${TENS[Math.floor(n / 10)]}${n % 10 ? ` ${ONES[n % 10]}` : ''}`;
  if (n < 1000) return rest(100, 'hundred');
  if (n < 1e6) return rest(1000, 'thousand');
  return n < 1e9
    ? rest(1e6, 'million')
    : String(n)
        .split('')
        .map((digit) => ONES[Number(digit)])
        .join(' ');
}

/** Digits as they are spoken: years in pairs, a number with a leading zero digit by digit, and others as a number. */
function spokenNumber(digits: string): string {
  const n = Number(digits);
  if (digits.length > 1 && digits.startsWith('0'))
    return digits
      .split('')
      .map((digit) => ONES[Number(digit)])
      .join(' ');
  const isYear = digits.length === 4 && n >= 1100 && n < 2000 && n % 100 > 0;
  return isYear ? `${cardinal(Math.floor(n / 100))} ${cardinal(n % 100)}` : cardinal(n);
}

function ordinal(digits: string): string {
  const words = spokenNumber(digits).split(' ');
  const last = words.pop()!;
  words.push(
    ORDINALS[last] ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : last.endsWith('t') ? `${last}h` : `${last}th`),
  );
  return words.join(' ');
}

/** Spellings that sound alike, written out or mapped to one form. */
const REPLACEMENTS: [RegExp, string | ((...groups: string[]) => string)][] = [
  [/[\u2018\u2019]/g, "'"],
  [/(\d),(?=\d{3})/g, '$1'],
  [/\b([ap])\.\s?m\b\.?/g, '$1m'],
  [/\$(\d+)\.(\d{2})\b/g, '$1 dollars $2 cents'],
  [/\$(\d+)/g, '$1 dollars'],
  [/%/g, ' percent'],
  [/(\d+)\.(\d+)/g, '$1 point $2'],
  [/(\d)([ap]m)\b/g, '$1 $2'],
  [/(\d+):00\b/g, '$1'],
  [/(\d+)(?:st|nd|rd|th)\b/g, (_all, digits = '') => ordinal(digits)],
  [/\d+/g, (digits = '') => ` ${spokenNumber(digits)} `],
  [/&/g, ' and '],
  [/\bmr\b\.?/g, 'mister'],
  [/\bmrs\b\.?/g, 'missus'],
  [/\bdr\b\.?/g, 'doctor'],
  [/\bst\b\./g, 'saint'],
  [/\b(o\.?k\.?|okay)(?![a-z])/g, 'okay'],
  [/\bwon't\b/g, 'will not'],
  [/\b(can't|cannot)\b/g, 'can not'],
  [/n't\b/g, ' not'],
  [/\blet's\b/g, 'let us'],
  [/\b(it|he|she|that|what|there|here|who|where|how|when)'s\b/g, '$1 is'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/\bi'm\b/g, 'i am'],
  [/\bgonna\b/g, 'going to'],
  [/\bwanna\b/g, 'want to'],
  [/[^\p{L}\p{N}' ]+/gu, ' '],
  [/(^|\s)'+|'+(?=\s|$)/g, ' '],
  [/\b(\p{L}{3,})our(s|ed|ing|able|ful|hood)?\b/gu, '$1or$2'],
  [/\b(\p{L}{3,})is(e|es|ed|ing)\b/gu, '$1iz$2'],
];

/**
 * A fixed form of a text for counting word errors, applied to both sides: lower case, no punctuation, numbers and
 * contractions written out, British spelling converted to American.
 */
export function normalise(text: string): string {
  let out = text.toLowerCase();
  for (const [pattern, replacement] of REPLACEMENTS)
    out = typeof replacement === 'string' ? out.replace(pattern, replacement) : out.replace(pattern, replacement);
  return out.replace(/\s+/g, ' ').trim();
}

/** Limit on the words of the hypothesis that a wild card stands for. */
const MOST_WILD = 2;

/**
 * The fewest word edits that turn the reference into the hypothesis. Both are normalised.
 * @param wild words of the reference that stand for any words, or for none, and are not counted
 */
export function editCounts(reference: string, hypothesis: string, wild?: ReadonlySet<string>): EditCounts {
  const ref = reference === '' ? [] : reference.split(' ');
  const hyp = hypothesis === '' ? [] : hypothesis.split(' ');
  /** Best counts for the reference so far against each prefix of the hypothesis. */
  let row: EditCounts[] = [{ ...NO_EDITS }];
  for (let j = 1; j <= hyp.length; j++) row.push({ ...NO_EDITS, insertions: j });
  for (const word of ref) {
    if (wild?.has(word)) {
      row = row.map((_, j) =>
        row
          .slice(Math.max(0, j - MOST_WILD), j + 1)
          .reduce((best, one) => (errorsOf(one) < errorsOf(best) ? one : best)),
      );
      continue;
    }
    const next: EditCounts[] = [{ ...row[0]!, deletions: row[0]!.deletions + 1 }];
    for (let j = 1; j <= hyp.length; j++) {
      const same = word === hyp[j - 1];
      const diagonal = row[j - 1]!;
      const options = [
        same ? diagonal : { ...diagonal, substitutions: diagonal.substitutions + 1 },
        { ...row[j]!, deletions: row[j]!.deletions + 1 },
        { ...next[j - 1]!, insertions: next[j - 1]!.insertions + 1 },
      ];
      next.push(options.reduce((best, option) => (errorsOf(option) < errorsOf(best) ? option : best)));
    }
    row = next;
  }
  return { ...row[hyp.length]!, words: wild ? ref.filter((word) => !wild.has(word)).length : ref.length };
}
