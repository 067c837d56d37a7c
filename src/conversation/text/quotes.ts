import { DEFAULT_LANGUAGE } from '../languages.ts';

const {
  cutOff: CUT_OFF,
  filler: FILLER,
  leading: LEADING,
  repeated: REPEATED,
  trailing: TRAILING,
} = DEFAULT_LANGUAGE.fillers;
/** Whether a cleaned sentence was left unfinished. */
export const isCutOff = (text: string): boolean => CUT_OFF.test(text);

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
