import { describe, expect, it } from 'vitest';
import { nameTagger } from '../../../containers/pipeline/conversation-weights.ts';
import type { RedactionKind } from '../../../src/contract/redaction.ts';
import { askedIn, marginals, TAGGER_LABELS } from '../../../src/conversation/redaction/name-tagger.ts';
import { Redactor } from '../../../src/conversation/redaction/redactor.ts';
import { seeded } from '../../../support/random.ts';

/** Lines such as `B: my words`, with the words that the tagger and the rules redact in brackets. */
function redacted(lines: readonly string[], kinds: readonly RedactionKind[] = ['name', 'address']): string[] {
  const redactor = new Redactor<string[]>(kinds, { tagger: nameTagger() });
  const settled = lines.flatMap((line) => {
    const words = line.slice(3).split(' ');
    return redactor.add(words, { speaker: line[0]!, words });
  });
  return [...settled, ...redactor.end()].map(({ item, masks }) => {
    const words = [...item];
    for (const { kind, from, to } of masks.toReversed()) words.splice(from, to - from + 1, `[${kind}]`);
    return words.join(' ');
  });
}

describe('the tagger', () => {
  it.each([
    [
      'A: Yesterday I spoke with Margaret Holloway about the invoice.',
      'Yesterday I spoke with [name] about the invoice.',
    ],
    ['A: please tell jennifer that the meeting moved', 'please tell [name] that the meeting moved'],
    ['A: They live at 17 Rua do Arenque, Porto.', 'They live at [address]'],
    ['A: send it to fourteen maple lane springfield', 'send it to [address]'],
  ])('finds what no word announces: %s', (line, expected) => {
    expect(redacted([line])).toEqual([expected]);
  });

  it.each([
    'A: The bill is due in May, and I hope to grant you access by then.',
    'A: it took us twenty minutes to walk down the hill to the park',
    'A: My order has three pizzas and two drinks, and the total was 45 dollars.',
  ])('leaves ordinary words: %s', (line) => {
    expect(redacted([line])).toEqual([line.slice(3)]);
  });

  it('labels only the kinds that are asked for', () => {
    const line = 'A: Margaret Holloway lives at 12 Mill Road.';
    expect(redacted([line], ['name'])[0]).toBe('[name] lives at 12 Mill Road.');
    expect(redacted([line], ['address'])[0]).toBe('Margaret Holloway lives at [address]');
  });

  it('recognises a name that it found once wherever it has a capital', () => {
    const lines = ['A: I talked to Margaret Holloway last week.', 'B: Was that about the Holloway account?'];
    expect(redacted(lines)[1]).toBe('Was that about the [name] account?');
  });

  it('recognises a name of the lists without a capital too, but no ordinary word', () => {
    const lines = [
      'A: I talked to Margaret Holloway and Leontyne Price.',
      'B: so margaret will tell holloway what the price is',
    ];
    expect(redacted(lines)[1]).toBe('so [name] will tell [name] what the price is');
  });

  it('reads words of any length and signs', () => {
    const tags = nameTagger().tagsOf(['x'.repeat(100_000), '', '---', '\u{1f600}', '\ud800'], []);
    expect(tags).toHaveLength(5);
  });
});

describe('what is asked for', () => {
  it.each([
    [['What is your name?'], 'name'],
    [['What is your name?', 'Sorry?'], 'name'],
    [['What is your name?', 'Anna.', 'Thanks.'], 'nothing'],
    [['Your name, please.', 'And the street?'], 'address'],
    [[], 'nothing'],
  ] as const)('%j', (before, expected) => {
    expect(askedIn(before.map((text) => text.split(' ')))).toBe(expected);
  });
});

describe('marginals', () => {
  const count = TAGGER_LABELS.length;

  it('are those of all sequences', () => {
    const random = seeded(4);
    const length = 3;
    const scores = Float64Array.from({ length: length * count }, () => 4 * random() - 2);
    const transitions = Float64Array.from({ length: (count + 1) * count }, () => 4 * random() - 2);
    const sums = new Float64Array(length * count);
    let total = 0;
    for (let sequence = 0; sequence < count ** length; sequence++) {
      const labels = Array.from({ length }, (_, i) => Math.floor(sequence / count ** i) % count);
      const score = labels.reduce(
        (sum, label, i) =>
          sum + scores[i * count + label]! + transitions[(i === 0 ? count : labels[i - 1]!) * count + label]!,
        0,
      );
      total += Math.exp(score);
      for (const [i, label] of labels.entries()) sums[i * count + label]! += Math.exp(score);
    }
    const { odds, logSum } = marginals(scores, transitions, length);
    expect(logSum).toBeCloseTo(Math.log(total), 9);
    for (const [k, sum] of sums.entries()) expect(odds[k]).toBeCloseTo(sum / total, 9);
  });

  it('of nothing are nothing', () => {
    expect(marginals(new Float64Array(0), new Float64Array((count + 1) * count), 0).odds).toHaveLength(0);
  });
});
