import { describe, expect, it } from 'vitest';
import { WrittenTexts } from '../../../containers/pipeline/written-texts.ts';
import { REDACTION_KINDS } from '../../../src/contract/redaction.ts';

const SAID = [
  { kind: 'account' as const, words: ['eight', 'eight', 'seven', 'six', 'five', 'four'], digits: '887654' },
  { kind: 'password' as const, words: ['marzipan'], digits: '' },
  { kind: 'name' as const, words: ['will'], digits: '' },
];
const texts = new WrittenTexts(['card', 'email', 'name', 'account', 'password'], SAID);

describe('texts that people wrote', () => {
  it.each([
    ['Card 4242 4242 4242 4242, call back', 'Card [card], call back'],
    ['mail to bob@example.com\nthen wait', 'mail to [email]\nthen wait'],
    ['account-number-88765432.mp3', 'account-number-[account].mp3'],
    ['my name is Anna Smith and the price is 400', 'my name is [name] and the price is 400'],
    ['Renewal 2025, 3 seats at 400', 'Renewal 2025, 3 seats at 400'],
  ])('are redacted: %s', (text, redacted) => expect(texts.redacted(text)).toBe(redacted));

  it.each([
    ['He said 8876, I think', 'He said [account], I think'],
    ['88 76 54 again', '[account] again'],
    ['the word is Marzipan!', 'the word is [password]!'],
    ['Will asked whether she will pay', '[name] asked whether she will pay'],
    ['a room for 12', 'a room for 12'],
  ])('lose what the recording says: %s', (text, redacted) => expect(texts.redacted(text)).toBe(redacted));

  it('keep the spaces and lines of what stays', () => {
    const text = '  Two  lines,\n\n\tone\u00a0gap and_a_name.wav ';
    expect(new WrittenTexts(REDACTION_KINDS, SAID).redacted(text)).toBe(text);
  });

  it('are returned under their digests', () => {
    const digest = '6755cfdd85152665dd1978d52030293b7f774a49415a18bfea1e7c63fc0c320a';
    expect(texts.redactedAll(['Marzipan'])).toEqual({ [digest]: '[password]' });
  });
});
