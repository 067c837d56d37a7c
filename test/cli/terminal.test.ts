import { describe, expect, it } from 'vitest';
import { clipped, outputOf, plain, table, widthOf, wrapped } from '../../src/cli/terminal.ts';

describe('text in a terminal', () => {
  it('has the right width', () => {
    expect(['abc', '日本', '👩‍👩‍👧', 'é'].map(widthOf)).toEqual([3, 4, 2, 1]);
  });

  it('is wrapped at spaces; only longer words are broken', () => {
    expect(wrapped('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapped('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl']);
    expect(wrapped('日本語日本語', 5)).toEqual(['日本', '語日', '本語']);
    expect(wrapped('', 5)).toEqual([]);
    for (const columns of [1, 2, 7, 40])
      for (const line of wrapped('Speaker_0: “Thank you for calling” 日本 and so on', columns))
        expect(widthOf(line)).toBeLessThanOrEqual(Math.max(2, columns));
  });

  it('is wrapped in linear time, however long a word is', () => {
    expect(wrapped('x'.repeat(200_000), 80)).toHaveLength(2_500);
    expect(wrapped('日'.repeat(20_000), 80)).toHaveLength(500);
    expect(wrapped('x '.repeat(200_000), 80)).toHaveLength(5_000);
  });

  it('contains no control characters', () => {
    expect(plain('a\u001b]0;b\u0007c\nd\u202ee\u009b2J')).toBe('a ]0;b c d e 2J');
  });

  it('is shortened with an ellipsis', () => {
    expect(clipped('abcdef', 4)).toBe('abc…');
    expect(clipped('abcd', 4)).toBe('abcd');
    expect(
      table(
        [
          ['a', 'bb'],
          ['ccc', 'x'.repeat(50)],
        ],
        { width: 20 },
      ),
    ).toEqual(['a    bb', `ccc  ${'x'.repeat(14)}…`]);
  });

  it('has colours in a terminal unless they are switched off', () => {
    const stream = (isTTY: boolean) => ({ isTTY, columns: 500 }) as NodeJS.WriteStream;
    const painted = (isTTY: boolean, env: NodeJS.ProcessEnv) => outputOf(stream(isTTY), env).paint('red', 'x') !== 'x';
    expect(painted(true, {})).toBe(true);
    expect(painted(true, { NO_COLOR: '1' })).toBe(false);
    expect(painted(true, { TERM: 'dumb' })).toBe(false);
    expect(painted(false, {})).toBe(false);
    expect(painted(false, { FORCE_COLOR: '1' })).toBe(true);
    expect(outputOf(stream(true), {}).width).toBe(100);
  });
});
