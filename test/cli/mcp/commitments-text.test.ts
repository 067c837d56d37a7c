import { expect, it } from 'vitest';
import { commitmentsText } from '../../../src/mcp/commitment-tools.ts';
import type { CommitmentEntry } from '../../../src/sdk/index.ts';

const entry = (vague_due: string | null) =>
  ({
    owner: 'Ann',
    to: null,
    deed: 'call back',
    due: null,
    vague_due,
    status: 'open',
    quote: 'I will call you',
    conversation_id: 'c',
    t_start: 3,
  }) as CommitmentEntry;

it.each([
  [null, 'no date was said'],
  ['soon', 'date unclear (said: "soon")'],
])('a commitment whose words about time are %j has no day: %s', (vague, said) => {
  expect(commitmentsText([entry(vague)], 'http://localhost')).toContain(
    `- Ann: call back; ${said}; open; "I will call you"`,
  );
});
