import type { Code } from './codes.ts';
import type { WordPiece } from './pieces.ts';

/** The codes of a run in one utterance. */
export interface RunPart {
  utterance: number;
  speaker: string;
  /** Numbers of the first and last piece. */
  from: number;
  to: number;
  codes: Code[];
}

/** Digits and letters that were said as one, across pauses, interruptions and read-backs. */
export interface CodeRun {
  parts: RunPart[];
  /** Whether the next utterance can continue it. */
  isOpen: boolean;
}

/** Words that people say between digits. */
export const FILLERS: ReadonlySet<string> = new Set(
  "uh um uhm er erm ah hmm hm mm mhm mmhm uh-huh huh yes yeah yep yup ok okay right sure no sorry wait so and then dash hyphen minus space dot point slash comma stop next followed by that's thats it's its is sir ma'am madam please got it that correct alright all go ahead on again perfect great thanks thank you well like just with a double triple treble".split(
    ' ',
  ),
);
/** Most words between two codes of an utterance, and of an utterance before its first code. */
const MOST_BETWEEN = 4;
const MOST_BEFORE = 5;
/** Longest interruption, words, and how many utterances of the other speakers may come between two parts. */
const LONGEST_INTERRUPTION = 8;
const MOST_INTERRUPTIONS = 3;

/** The runs of a passage, in order. @param speakers by utterance */
export function runsOf(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  speakers: readonly string[],
): CodeRun[] {
  const runs: CodeRun[] = [];
  let open: CodeRun | null = null;
  let interruptions = 0;
  for (let at = 0; at < pieces.length; ) {
    const { utterance } = pieces[at]!;
    let end = at;
    while (pieces[end]?.utterance === utterance) end++;
    const speaker = speakers[utterance]!;
    const parts = partsIn(pieces, codes, at, end, { utterance, speaker });
    const first = parts[0];
    if (!first) {
      const isSpeaker = open?.parts.at(-1)?.speaker === speaker;
      const isFiller = pieces.slice(at, end).every(({ lower }) => FILLERS.has(lower));
      interruptions++;
      if (
        open &&
        (interruptions > MOST_INTERRUPTIONS || !(isFiller || (!isSpeaker && end - at <= LONGEST_INTERRUPTION)))
      ) {
        open.isOpen = false;
        open = null;
      }
      at = end;
      continue;
    }
    interruptions = 0;
    const isContinued =
      open !== null &&
      isBetween(pieces.slice(at, first.from), open.parts.at(-1)!.speaker === speaker ? MOST_BEFORE : 2);
    if (open && isContinued) open.parts.push(first);
    else {
      if (open) open.isOpen = false;
      open = { parts: [first], isOpen: true };
      runs.push(open);
    }
    for (const part of parts.slice(1)) {
      open.isOpen = false;
      open = { parts: [part], isOpen: true };
      runs.push(open);
    }
    const last = parts.at(-1)!;
    if (!isBetween(pieces.slice(last.to + 1, end), MOST_BEFORE)) {
      open.isOpen = false;
      open = null;
    }
    at = end;
  }
  return runs;
}

const isBetween = (words: readonly WordPiece[], most: number): boolean =>
  words.length <= most && words.every(({ lower }) => FILLERS.has(lower));

function partsIn(
  pieces: readonly WordPiece[],
  codes: readonly (Code | null)[],
  start: number,
  end: number,
  of: Pick<RunPart, 'utterance' | 'speaker'>,
): RunPart[] {
  const groups: Code[][] = [];
  let group: Code[] = [];
  let between = 0;
  for (let i = start; i < end; ) {
    const code = codes[i] ?? null;
    if (code) {
      group.push(code);
      between = 0;
      i = code.to + 1;
      continue;
    }
    between++;
    if (group.length > 0 && (between > MOST_BETWEEN || !FILLERS.has(pieces[i]!.lower))) {
      groups.push(group);
      group = [];
    }
    i++;
  }
  groups.push(group);
  // An utterance of one group of letters alone ("NWBK") goes on with what was said before it.
  const isAlone =
    groups.length === 1 && pieces.slice(start, end).every(({ lower }, i) => codes[start + i] || FILLERS.has(lower));
  const isGroup = isAlone && group.length === 1 && group[0]!.chars.length > 2;
  return groups.flatMap((all) => {
    const kept = isGroup ? all : trimmed(all);
    return kept.length === 0 ? [] : [{ ...of, from: kept[0]!.from, to: kept.at(-1)!.to, codes: kept }];
  });
}

/** Without the words at its ends that only look like codes. */
function trimmed(codes: Code[]): Code[] {
  const isKept = (i: number): boolean => {
    const code = codes[i]!;
    if (!code.isWeak) return true;
    const near = [codes[i - 1], codes[i + 1]];
    // Two words such as "Mike Hotel", or one beside a letter or digit.
    return near.some(
      (other) =>
        other !== undefined &&
        Math.min(Math.abs(other.from - code.to), Math.abs(code.from - other.to)) === 1 &&
        !(code.chars.length === 1 && (code.chars === 'A' || code.chars === 'I') && /^\d+$/u.test(other.chars)),
    );
  };
  let from = 0;
  let to = codes.length;
  while (from < to && !isKept(from)) from++;
  while (to > from && !isKept(to - 1)) to--;
  const kept = codes.slice(from, to);
  return kept.every(({ isWeak }) => isWeak) && kept.length < 3 ? [] : kept;
}

/** The characters of a run, in the ways in which people give them: with and without what the other speaker read back. */
export function readingsOf({ parts }: CodeRun): string[] {
  const chars = (some: readonly RunPart[]) =>
    some.map(({ codes }) => codes.map((code) => code.chars).join('')).join('');
  const speakers = [...new Set(parts.map(({ speaker }) => speaker))];
  const readings = [chars(parts)];
  if (speakers.length > 1)
    for (const speaker of speakers) readings.push(chars(parts.filter((part) => part.speaker === speaker)));
  if (parts.length > 1) {
    let joined = '';
    for (const part of parts) {
      const own = chars([part]);
      if (!joined.endsWith(own)) joined += own;
    }
    readings.push(joined);
  }
  return [...new Set(readings)];
}

/** Lengths of the groups in which a run was said, such as 3, 2 and 4. */
export function groupsOf({ parts }: CodeRun): number[] {
  const groups: number[] = [];
  let length = 0;
  const close = () => {
    if (length > 0) groups.push(length);
    length = 0;
  };
  for (const { codes } of parts) {
    for (const { chars, endsGroup, groups: own } of codes) {
      if (own) {
        close();
        groups.push(...own);
        continue;
      }
      if (chars.length > 1 && endsGroup) close();
      length += chars.length;
      if (endsGroup) close();
    }
    close();
  }
  return groups;
}
