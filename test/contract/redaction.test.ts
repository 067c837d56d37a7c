import { describe, expect, it } from 'vitest';
import { REDACTION_KINDS, RedactSchema } from '../../src/contract/redaction.ts';

describe('the kinds of redaction', () => {
  it('are put in order, each once', () => {
    expect(RedactSchema.parse(['phone', 'card', 'phone'])).toEqual(['card', 'phone']);
  });

  it('refuse an unknown kind with the list of all', () => {
    const { error } = RedactSchema.safeParse(['card', 'shoe size']);
    expect(error?.issues[0]?.message).toBe(`"shoe size" is not a kind of redaction: ${REDACTION_KINDS.join(', ')}`);
  });
});
