import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { EVAL_DATA } from '../eval-data.ts';

/** A dialogue whose speakers have roles. A role that cannot be proposed is null. */
export interface RoleDialogue {
  turns: { speaker: string; text: string }[];
  /** Speaker -> role. */
  roles: Record<string, 'agent' | 'customer' | 'doctor' | 'patient' | null>;
}

interface Line {
  id: string;
  split?: string;
  turns: { speaker: string; text: string }[];
}

export const dialogueLines = (name: string): Line[] =>
  gunzipSync(readFileSync(join(EVAL_DATA, 'dialogues', `${name}.jsonl.gz`)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

const ROLES: RoleDialogue['roles'] = {
  user: 'customer',
  customer: 'customer',
  agent: 'agent',
  system: 'agent',
  doctor: 'doctor',
  patient: 'patient',
  Doctor: 'doctor',
  Patient: 'patient',
};

/** The dialogues of a set, of two speakers each. @param keep by split, if the set has splits */
export function roleDialogues(name: string, keep: (line: Line, index: number) => boolean = () => true): RoleDialogue[] {
  return dialogueLines(name)
    .filter(keep)
    .flatMap(({ turns }) => {
      const speakers = [...new Set(turns.map(({ speaker }) => speaker))];
      if (speakers.length !== 2) return [];
      return [{ turns, roles: Object.fromEntries(speakers.map((one) => [one, ROLES[one] ?? null])) }];
    });
}

const json = (...path: string[]): unknown =>
  JSON.parse(readFileSync(join(EVAL_DATA, 'conversations', ...path), 'utf8'));

/** The three dialogues of the ABCD sample. */
export function abcdRoles(): RoleDialogue[] {
  const dialogues = json('abcd', 'abcd_sample.json') as { original: [string, string][] }[];
  return dialogues.map(({ original }) => ({
    turns: original.filter(([speaker]) => speaker !== 'action').map(([speaker, text]) => ({ speaker, text })),
    roles: { agent: 'agent', customer: 'customer' },
  }));
}

/** Talk of two people without such roles: negotiations, and pairs of speakers of meetings. */
export function otherDialogues(part: 'train' | 'val'): RoleDialogue[] {
  const casino = json('casino', part === 'train' ? 'train.json' : 'valid.json') as {
    chat_logs: { id: string; text: string }[];
  }[];
  const negotiations = casino.map(({ chat_logs }) => ({
    turns: chat_logs.map(({ id, text }) => ({ speaker: id, text })),
    roles: { mturk_agent_1: null, mturk_agent_2: null },
  }));
  const meetings = readFileSync(join(EVAL_DATA, 'conversations', 'qmsum', `${part}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .flatMap((line): RoleDialogue[] => {
      const { meeting_transcripts } = JSON.parse(line) as {
        meeting_transcripts: { speaker: string; content: string }[];
      };
      const speakers = [...new Set(meeting_transcripts.map(({ speaker }) => speaker))].slice(0, 4);
      const pairs = speakers.flatMap((a, i) => speakers.slice(i + 1).map((b) => [a, b]));
      return pairs.map((pair) => ({
        turns: meeting_transcripts
          .filter(({ speaker }) => pair.includes(speaker))
          .map(({ speaker, content }) => ({ speaker, text: content.replace(/\{\w+\}/g, ' ') })),
        roles: Object.fromEntries(pair.map((one) => [one, null])),
      }));
    });
  return [...negotiations, ...meetings];
}
