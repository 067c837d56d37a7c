import { plainPunctuation } from '../../../src/conversation/text/tokens.ts';

const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ' ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** An integer below a million in spoken words. A longer one is spelled digit by digit. */
export function spelled(digits: string): string {
  const n = Number(digits);
  if (digits.length > 6 || (digits.length > 1 && digits.startsWith('0')))
    return [...digits].map((d) => UNITS[Number(d)]).join(' ');
  if (n < 20) return UNITS[n]!;
  if (n < 100) return n % 10 === 0 ? TENS[n / 10]! : `${TENS[Math.floor(n / 10)]} ${UNITS[n % 10]}`;
  if (n < 1000) return `${UNITS[Math.floor(n / 100)]} hundred${n % 100 === 0 ? '' : ` ${spelled(String(n % 100))}`}`;
  return `${spelled(String(Math.floor(n / 1000)))} thousand${n % 1000 === 0 ? '' : ` ${spelled(String(n % 1000))}`}`;
}

/**
 * Text as a recogniser without punctuation would write it: in lower case, with numbers spelled out and no punctuation
 * but the apostrophe.
 */
export const bareSpeech = (text: string): string =>
  plainPunctuation(text)
    .toLowerCase()
    .replace(/\[(\w+)\]/g, '$1')
    .replace(/(\d),(?=\d{3})/g, '$1')
    .replace(/\d+/g, (digits) => ` ${spelled(digits)} `)
    .replace(/%/g, ' percent ')
    .replace(/[^\p{L}' ]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/**
 * Speech-like text with the punctuation that this project's recogniser writes: full stops, commas and question marks.
 */
export const punctuatedSpeech = (text: string): string =>
  plainPunctuation(text)
    .split(/(?<=[.?!,])\s+/)
    .map((part) => {
      const words = bareSpeech(part);
      const end = /[?]/.test(part.slice(-3)) ? '?' : /[.!]$/.test(part) ? '.' : part.endsWith(',') ? ',' : '';
      return words === '' ? '' : words + end;
    })
    .filter((part) => part !== '')
    .join(' ');
