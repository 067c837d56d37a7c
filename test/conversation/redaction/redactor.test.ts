import { describe, expect, it } from 'vitest';
import { REDACTION_KINDS, type RedactionKind } from '../../../src/contract/redaction.ts';
import { type Mask, Redactor } from '../../../src/conversation/redaction/redactor.ts';
import { MADE_KINDS, madeDialogue } from '../../../support/made-personal-data.ts';
import { seeded } from '../../../support/random.ts';

const ALL_BUT_DIGITS = REDACTION_KINDS.filter((kind) => kind !== 'digits');

/** Lines such as `B: my words`, redacted. */
function redacted(lines: readonly string[], kinds: readonly RedactionKind[] = REDACTION_KINDS, holds = true): string[] {
  const redactor = new Redactor<string[]>(kinds, { holds });
  const settled = lines.flatMap((line) => {
    const words = line.slice(3).split(' ');
    return redactor.add(words, { speaker: line[0]!, words });
  });
  return [...settled, ...redactor.end()].map(({ item, masks }) =>
    labelled(item, masks).replace(/\](?:[.,;:?!])/gu, ']'),
  );
}

function labelled(item: readonly string[], masks: readonly Mask[]): string {
  const words = [...item];
  for (const { kind, from, to } of masks.toReversed())
    words.splice(from, to - from + 1, `[${kind}]${/[.,]$/u.exec(words[to]!)?.[0] ?? ''}`);
  return words.join(' ');
}

describe('redaction of words', () => {
  it.each<[string, string[], string[]]>([
    [
      'a card in groups, with a read-back and an interruption',
      [
        'A: What is your card number?',
        'B: four two four two',
        'A: mhm',
        'B: double four two two',
        'A: double four two two',
        'B: four two four two, four two four two',
      ],
      ['What is your card number?', '[card]', 'mhm', '[card]', '[card]', '[card]'],
    ],
    ['a card with a word between its digits', ['B: four two - yes - four two 4242 4242 4242'], ['[card]']],
    ['a security code', ['B: the security code is one two three'], ['the security code is [card]']],
    [
      'a telephone number',
      ['B: call me on triple five, oh one two, three four five six please'],
      ['call me on [phone] please'],
    ],
    ['a social security number by its groups', ['B: it is 123-45-6789'], ['it is [ssn]']],
    [
      'a ZIP code after a state, said or written',
      [
        'B: it goes to Fremont, California, nine four five three six',
        'B: or to bergen nj 07047',
        'B: in Texas 30000 people',
      ],
      ['it goes to Fremont, California, [postcode]', 'or to bergen nj [postcode]', 'in Texas 30000 people'],
    ],
    [
      'the letters of a policy before its digits',
      ['B: my policy number is kih 984361047', 'B: sure my policy is 984361047'],
      ['my policy number is [account]', 'sure my policy is [account]'],
    ],
    ['spelled letters', ['B: my postcode is S W one alpha two B for bravo A'], ['my postcode is [postcode]']],
    [
      'an IBAN of letters and digits',
      ['B: G B two nine N W B K six zero one six one three three one nine two six eight one nine'],
      ['[iban]'],
    ],
    ['an email address', ['B: write to john dot smith eight four at gmail dot com'], ['write to [email]']],
    [
      'an email address over two utterances',
      ['B: my email is john underscore smith', 'B: at gmail dot com'],
      ['my email is [email]', '[email]'],
    ],
    [
      'a date of birth',
      ['A: And your date of birth?', 'B: the third of May eighty-four'],
      ['And your date of birth?', 'the [dob]'],
    ],
    ['a password', ['B: my password is purple monkey.', 'B: Okay?'], ['my password is [password]', 'Okay?']],
    [
      'a name, and its later use',
      ['B: my name is Julian Davies.', 'A: Thanks, Julian, one moment.'],
      ['my name is [name]', 'Thanks, [name] one moment.'],
    ],
    ['an address', ['B: we live at 12 High Street.'], ['we live at [address]']],
    [
      'an address whose number was misheard, and no amount after it',
      [
        'A: And what is your address?',
        'B: I live at Well Baker Road, thanks.',
        'A: The fee is twenty-five dollars and takes five days.',
      ],
      [
        'And what is your address?',
        'I live at [address] thanks.',
        'The fee is twenty-five dollars and takes five days.',
      ],
    ],
    [
      'an address in lower case whose number was misheard',
      ['A: And what is your address?', 'B: if in hunting maple avenue'],
      ['And what is your address?', 'if in [address]'],
    ],
    [
      'nine digits after a name, whose cue was misheard',
      ['A: Can I take your full name?', 'B: It is Oliver Fletcher. The lesson is 103,918879.'],
      ['Can I take your full name?', 'It is [name] The lesson is [ssn]'],
    ],
    [
      'digits that a recogniser writes as an amount',
      ['A: What is the card number?', 'B: three thousand seven hundred', 'B: 585,843'],
      ['What is the card number?', '[card]', '[card]'],
    ],
    [
      'digits that a misheard word cuts off',
      ['B: my phone is oh double seven I know 24 63 22 19'],
      ['my phone is [phone]'],
    ],
    [
      'the rest of a number after something misheard',
      ['B: my account is 4832 7719', 'B: near orphan and orphan', 'B: eight one five seven'],
      ['my account is [account]', 'near orphan and orphan', '[account]'],
    ],
    [
      'a number that is said again',
      ['B: my policy is 48151623', 'A: so it ends in 1623'],
      ['my policy is [account]', 'so it ends in [account]'],
    ],
  ])('replaces %s', (_, lines, expected) => {
    expect(redacted(lines)).toEqual(expected);
  });

  it.each<[string, string[], string[], string[]]>([
    [
      'digits beside a misheard word of an answer',
      ['A: And the postcode?', 'B: S4 shogun double U6, 1BI.'],
      ['And the postcode?', '[postcode].'],
      [],
    ],
    [
      'digits that are printed as amounts, with the words between, and doubts them',
      ['A: And your social security number?', 'B: Okay, four hundred figs, near a one, nine hundred three hundred'],
      ['And your social security number?', 'Okay, [ssn]'],
      ['incomplete ssn'],
    ],
    [
      'an answer without a value, and doubts it',
      ['A: Could you confirm your social security number?', 'B: Yes, I made salmon or glade.'],
      ['Could you confirm your social security number?', 'Yes, [ssn].'],
      ['unread ssn'],
    ],
    [
      'what follows "my password in", and doubts it',
      ['B: My password in seven times delayed.', 'A: Thanks for that.'],
      ['My password in [password].', 'Thanks for that.'],
      ['unread password'],
    ],
    [
      'what is said between two parts of an incomplete card, and doubts it',
      ['B: My card number is 4929 7711', 'B: near orphan and orphan', 'B: 815', 'A: Thanks.'],
      ['My card number is [card]', '[card]', '[card]', 'Thanks.'],
      ['incomplete card'],
    ],
    [
      'three digits in the turn of a value',
      ['B: my account is 4832 7719', 'B: sorry 815', 'A: Thank you.'],
      ['my account is [account]', 'sorry [account]', 'Thank you.'],
      [],
    ],
    [
      'nothing of a long number that is of no kind, and doubts it',
      ['B: it says 3719 2206'],
      ['it says 3719 2206'],
      ['unassigned null'],
    ],
    [
      'nothing of a number in odd groups that is of no kind, and doubts it',
      ['B: The Ffn is 103,91,808'],
      ['The Ffn is 103,91,808'],
      ['unassigned null'],
    ],
    [
      'the digits of a number that money goes to, between which others are misheard',
      ["B: Transfer it to an Elmir, I'm here at three, four, near or one, three, five, seven, high, eight, three."],
      ["Transfer it to an Elmir, I'm here at [account]."],
      [],
    ],
    [
      'a number between whose digits others are misheard, and doubts it',
      ['B: It goes to free, at three, four, near or one, three, five, seven, high, eight, three.'],
      ['It goes to free, at [card].'],
      ['unassigned card'],
    ],
    [
      'a number in groups after "charged", of which digits are lost and a "mhm" is printed as letters',
      [
        'B: I was charged on for double six-six.',
        'A: Got it.',
        'B: Five, three, two, four.',
        'A: Ok.',
        'B: Five, six, three, eight.',
        'A: M. H. M..',
        'B: Three, nine, four, one.',
      ],
      ['I was charged on for [card].', 'Got it.', '[card].', 'Ok.', '[card].', 'M. H. M..', '[card].'],
      [],
    ],
    [
      'digits that are a whole utterance, and doubts them',
      ['A: How will you like to pay?', 'B: My meaning for poor me alone.', 'A: Nine eighth one eighth.'],
      ['How will you like to pay?', 'My meaning for poor me alone.', '[card].'],
      ['unassigned card'],
    ],
    [
      'digits that are too many for a telephone number, with what is beside them',
      [
        'A: You can charge double for one time, double four one time, zero, ten, no, eight, zero, ten, no, eight.',
        'A: 3468 3468 83400 perfect thank you',
      ],
      ['You can charge [card].', '[card] perfect thank you'],
      [],
    ],
    [
      'nothing of digits after a question for the number of a thing',
      ['A: Can I have the order number?', 'B: Five, three, two, four.', 'A: Thanks.'],
      ['Can I have the order number?', 'Five, three, two, four.', 'Thanks.'],
      [],
    ],
    [
      'nothing of counting',
      ['B: Can you hear me?', 'B: One, two, three, four.'],
      ['Can you hear me?', 'One, two, three, four.'],
      [],
    ],
    [
      'nothing of amounts, years and times',
      ['B: I was charged four hundred dollars in twenty twenty four at 10:30, and paid 1250 pounds.'],
      ['I was charged four hundred dollars in twenty twenty four at 10:30, and paid 1250 pounds.'],
      [],
    ],
    [
      'nothing of digits far apart',
      ['B: Take two of those and four of the others, then one two three and you are done with six.'],
      ['Take two of those and four of the others, then one two three and you are done with six.'],
      [],
    ],
    [
      'nothing of a refusal',
      ['A: What is your card number?', "B: I don't have it here."],
      ['What is your card number?', "I don't have it here."],
      [],
    ],
    [
      'nothing of the last digits',
      ['B: My card number ends in 4242, I think'],
      ['My card number ends in [card], I think'],
      [],
    ],
    [
      'nothing of a scale',
      ['A: Is it from 1 to 10, 10 being the worst?'],
      ['Is it from 1 to 10, 10 being the worst?'],
      [],
    ],
  ])('replaces what a recogniser misheard: %s', (_, lines, expected, doubts) => {
    const kinds = REDACTION_KINDS.filter((kind) => !['digits', 'name', 'address'].includes(kind));
    const redactor = new Redactor<string[]>(kinds);
    const settled = lines.flatMap((line) => {
      const words = line.slice(3).split(' ');
      return redactor.add(words, { speaker: line[0]!, words });
    });
    settled.push(...redactor.end());
    expect(settled.map(({ item, masks }) => labelled(item, masks))).toEqual(expected);
    expect(settled.flatMap((one) => one.doubts.map(({ reason, kind }) => `${reason} ${kind}`))).toEqual(doubts);
  });

  it.each([
    'A: I ordered 25 boxes at 10:30 for $45.50.',
    'A: You can look at amazon dot com for that.',
    'A: We sold one hundred and twenty three units.',
    'A: I have called four or five times.',
    'A: It was sold for 585,843 and we paid three thousand seven hundred.',
    'A: Mike is at the hotel in India.',
    'A: It has a double constructor.',
    'A: You can transfer it to extension four five one two for 500 dollars.',
    'A: The meeting is on the third of May 2026.',
  ])('leaves numbers that are nothing personal: %s', (line) => {
    const kinds = REDACTION_KINDS.filter((kind) => kind !== 'digits');
    expect(redacted([line], kinds)).toEqual([line.slice(3)]);
  });

  it('replaces only the kinds that were asked for', () => {
    const lines = ['B: my card is 4242 4242 4242 4242', 'B: and my phone is 415 555 0132'];
    expect(redacted(lines, ['phone'])).toEqual([lines[0]!.slice(3), 'and my phone is [phone]']);
  });

  it('leaves digits that are a value of another kind', () => {
    const lines = [
      'B: You can charge four two four two',
      'A: mhm',
      'B: four two four two four two',
      'B: four two four two four two',
    ];
    expect(redacted(lines, ['phone'])).toEqual(lines.map((line) => line.slice(3)));
    expect(redacted(lines, ['card']).join(' ')).toBe('You can charge [card] mhm [card] [card]');
  });

  it('calls any run of four digits and more `digits` if nothing surer was asked for', () => {
    expect(redacted(['A: order number 12345678 of 123'], ['digits'])).toEqual(['order number [digits] of 123']);
  });

  it('holds an utterance until the end of its number is known', () => {
    const redactor = new Redactor<number>(['card']);
    expect(redactor.add(0, { speaker: 'A', words: ['Hello', 'there'] })).toHaveLength(1);
    expect(redactor.add(1, { speaker: 'B', words: ['4242', '4242'] })).toHaveLength(0);
    expect(redactor.add(2, { speaker: 'A', words: ['yes'] })).toHaveLength(0);
    expect(redactor.add(3, { speaker: 'B', words: ['4242', '4242', 'is', 'what', 'I', 'have'] })).toHaveLength(3);
  });

  it('returns every utterance once and in order, whatever was said', () => {
    const random = seeded(3);
    const redactor = new Redactor<number>(REDACTION_KINDS);
    const words = ['four', '42', 'at', 'dot', 'com', 'email', 'my', 'card', 'B', 'for', 'may', 'third', '-', ''];
    const back: number[] = [];
    for (let i = 0; i < 300; i++) {
      const said = Array.from({ length: Math.floor(random() * 6) }, () => words[Math.floor(random() * words.length)]!);
      const settled = redactor.add(i, { speaker: random() < 0.5 ? 'A' : 'B', words: said });
      back.push(...settled.map(({ item }) => item));
      for (const { masks } of settled)
        for (const [k, { from, to }] of masks.entries()) {
          expect(to).toBeGreaterThanOrEqual(from);
          expect(from).toBeGreaterThan(masks[k - 1]?.to ?? -1);
        }
    }
    back.push(...redactor.end().map(({ item }) => item));
    expect(back).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  it.each(MADE_KINDS)('leaves nothing of made values of the kind %s in most of their forms', (kind) => {
    const random = seeded(20261128);
    let left = 0;
    for (let i = 0; i < 30; i++) {
      const { utterances } = madeDialogue(random, kind);
      const redactor = new Redactor<number>([kind]);
      const settled = utterances.flatMap(({ speaker, words }, n) =>
        redactor.add(n, { speaker, words: words.map(({ text }) => text) }),
      );
      settled.push(...redactor.end());
      const isLeft = settled.some(({ item, masks }) =>
        utterances[item]!.words.some((word, w) => word.kind && !masks.some(({ from, to }) => w >= from && w <= to)),
      );
      if (isLeft) left++;
    }
    expect(left).toBeLessThanOrEqual(1);
  });

  it.each<[string, string, string]>([
    [
      'between two parts of a number',
      'My current hunger in 302 16, 82, 871, thousand 16, one foul and 382, 382, date.',
      'My current hunger in [phone] date.',
    ],
    [
      'right beside a number',
      'My card is 4242 4242 hungry one foul, and that one is old.',
      'My card is [card] foul, and that one is old.',
    ],
  ])('takes a "one" that a recogniser left %s', (_, said, expected) => {
    expect(redacted([`B: ${said}`], ALL_BUT_DIGITS)).toEqual([expected]);
  });

  describe('while a session is running', () => {
    it('redacts at once what may become a number', () => {
      expect(redacted(['B: my card is four', 'B: two four two'], REDACTION_KINDS, false)).toEqual([
        'my card is [card]',
        '[card]',
      ]);
    });

    it.each<[string, string[], string[]]>([
      [
        'digits that look like a date',
        ['A: What is the card number?', 'B: You can charge for the 8th 10, 64 for the 4480 for the 7th, 9912 please.'],
        ['What is the card number?', 'You can [card] please.'],
      ],
      [
        'what is said first',
        ['A: What is the card number?', 'B: You can charge for the 8th'],
        ['What is the card number?', 'You can charge for the [card]'],
      ],
      ['the last words, wherever they stand', ['B: You can charge for the 8th'], ['You can charge for the [card]']],
      [
        'ordinals and the beginning of a repeated digit',
        ['B: Thy eighth, 4480, eighth', "B: I was charged on Fort Double's", 'B: You can charge double for now.'],
        ['Thy [card]', 'I was charged on Fort [card]', 'You can charge [card] now.'],
      ],
      [
        'amounts that count nothing',
        [
          'B: It is time found and three hundred too, the Ein-fallen date, date hundred, is it one-hungry and free for us',
        ],
        ['It is time found and [card] too, the Ein-fallen date, date [card] is it [card] and free for us'],
      ],
      [
        'a digit that stands alone near hidden ones',
        ['B: It is 538 982', 'B: one foul and hungry as well then'],
        ['It is [card]', '[card] foul and hungry as well then'],
      ],
      [
        'a digit that stands alone near a hidden amount',
        ['B: My current hunger is hundred to, one foul and free for us all'],
        ['My current hunger is [card] to, [card] foul and free for us all'],
      ],
      [
        'a digit that stands alone in an answer',
        ['A: What is the card number?', 'B: um', 'B: one foul and hungry as well then'],
        ['What is the card number?', 'um', '[card] foul and hungry as well then'],
      ],
      [
        'plain numbers in ordinary talk',
        [
          'B: It is 4242 4242 4242 4242.',
          'A: Thank you. I see two shirts here and one coat in the list.',
          'B: One of them is for my mother, and that one is the last one that I need, as I said.',
        ],
        [
          'It is [card]',
          'Thank you. I see two shirts here and one coat in the list.',
          'One of them is for my mother, and that one is the last one that I need, as I said.',
        ],
      ],
      [
        'amounts',
        ['A: What is the card number?', 'B: Is it 25 dollars or $30 in 3 days for one person, and is there more?'],
        ['What is the card number?', 'Is it 25 dollars or $30 in 3 days for one person, and is there more?'],
      ],
      [
        'numbers of other things',
        ['A: My card is 4242 4242 4242 4242, and the order was 12 on the 3rd or so as I said.'],
        ['My card is [card] and the order was 12 on the 3rd or so as I said.'],
      ],
    ])('beside a card number or a question for it: %s', (_, lines, expected) => {
      expect(redacted(lines, ['card'], false)).toEqual(expected);
    });

    it('shows no word of a made card number, wherever an utterance is cut', () => {
      const random = seeded(11);
      const shown: string[] = [];
      for (let i = 0; i < 12; i++) {
        const { utterances } = madeDialogue(random, 'card');
        const cuts = utterances.flatMap(({ words }, u) => words.slice(1).map((_, w) => ({ u, at: w + 1 })));
        for (const { u, at } of cuts) {
          const redactor = new Redactor<null>(['card'], { holds: false });
          const pieces = utterances.flatMap(({ speaker, words }, n) =>
            n === u
              ? [words.slice(0, at), words.slice(at)].map((some) => ({ speaker, words: some }))
              : [{ speaker, words }],
          );
          for (const { speaker, words } of pieces) {
            const said = { speaker, words: words.map(({ text }) => text) };
            const interim = redactor.peek(said);
            const [settled] = redactor.add(null, said);
            for (const masks of [interim, settled!.masks])
              if (words.some((word, w) => word.kind && !masks.some(({ from, to }) => w >= from && w <= to)))
                shown.push(
                  `${said.words.join(' ')} (cut at ${at} of ${u}) in ${pieces.map((one) => one.words.map(({ text }) => text).join(' ')).join(' / ')}`,
                );
          }
        }
      }
      expect(shown).toEqual([]);
    });
  });
});
