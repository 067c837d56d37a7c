import type { Remark } from '../../sentences/sentences.ts';
import { joined, type Spans, say } from '../../sentences/spans.ts';
import { FILLERS } from '../lexicon/fillers.ts';
import { capital } from './grammar.ts';

type Reported = Pick<Remark, 'speaker' | 'listener'>;
type Word = string | Spans;

/** Length limit of a paraphrased sentence, words. Longer sentences are easier to follow verbatim. */
const MAX_WORDS = 24;

/** Verbs after 'I' whose third person is not formed by just adding an s. */
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  "i'm": 'is',
  have: 'has',
  "haven't": "hasn't",
  do: 'does',
  "don't": "doesn't",
  go: 'goes',
};
/** Verbs whose third person adds an s, except those whose past is spelled like the present ("I put", "I read"). */
const REGULAR = new Set(
  'need want think feel believe hope prefer like love live work use run get see plan expect wonder suggest recommend propose agree understand remember appreciate promise own sell offer doubt mind hear accept admit apologize apologise arrive ask buy call care carry collect cook deal depend deserve disagree drink drive eat enjoy envy follow forget give handle hate help imagine insist intend keep leave listen look make manage meet miss move notice pay play realize realise receive recognize refuse respect save speak spend start stay stop study suffer support take teach tend travel trust try visit wait walk watch wear wish worry write'.split(
    ' ',
  ),
);

/** The third person of a verb. */
function thirdPerson(verb: string): string | undefined {
  if (!REGULAR.has(verb)) return IRREGULAR[verb];
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** Verbs that stay unchanged after a name: modals, and past forms that differ from the present. */
const UNCHANGED = new Set(
  "will would can could should must might may won't wouldn't ought can't cannot couldn't shouldn't had hadn't was wasn't did didn't said told got went came took gave made bought paid found thought knew felt saw heard met left lost kept sent brought began broke chose drove ate fell flew forgot grew held led meant ran sold sat spoke spent stood taught understood woke won wrote became caught built".split(
    ' ',
  ),
);
const ADVERBS = new Set(
  'just really also only still already always never now actually probably definitely certainly usually even'.split(' '),
);
/** Contractions, which are expanded first. */
const SPELLED_OUT: readonly [RegExp, string][] = [
  [/\b(i)'m\b/gi, '$1 am'],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\b(i|we|you)'ve\b/gi, '$1 have'],
  [/\b(i|we|you)'ll\b/gi, '$1 will'],
  [/\b(i|we|you)'d (like|love|prefer|rather|want|need|suggest|recommend|say|have to|be)\b/gi, '$1 would $2'],
];
/** First-person words and their third-person forms. */
const SHIFTED: Readonly<Record<string, string>> = {
  i: 'they',
  me: 'them',
  my: 'their',
  mine: 'theirs',
  myself: 'themselves',
  we: 'they',
  us: 'them',
  our: 'their',
  ours: 'theirs',
  ourselves: 'themselves',
};
/** Words after which 'you' is an object that a name can replace. */
const BEFORE_OBJECT = new Set(
  'for to with from of about at on send give call help show tell ask get let offer put charge refund bring see meet thank reach email remind advise owe book schedule pay wish want need'.split(
    ' ',
  ),
);
/**
 * Sentences that lose their meaning in the third person: appeals, forms of address, quotations, fillers, false starts.
 */
const DIRECT_ONLY =
  /^(let's|let us|please|thank|sorry|look|listen|see|go|come|give|take|tell|try|wait|hold|check|feel)\b|\b(you know|i mean|you see|you guys|kind of|sort of|yourself|thanks?|afraid (not|so)|well,? (i|we|you|it|he|she|they|in|if))\b|[“”"]|\b(i|we|you)'d\b|\.\.\./i;
/** False starts: 'I went, we went', 'I've, I had', 'I've was'. */
const FALSE_START =
  /^(?:i|we)\b[^,.]{0,24}, (?:i|we|they|he|she|it)\b|^(?:i|we)(?:'ve| have|'m| am|'re| are) (?:was|were|am|is|are|have)\b/i;
/** An introduction, in which a recogniser often mistakes the name. */
const INTRODUCTION = /^(?:I'm|I am|This is) \p{Lu}/u;
/** Words that name the speaker or others. After a first one, a reader cannot tell whom a further 'they' means. */
const PEOPLE = /\b(?:i|we|me|us|they|them|their|theirs)\b/i;
const OPENING_WORD = /^(?:i know,? but|honestly|frankly|actually|basically|obviously|oh|well|okay|so|and|but|yes),? /i;

/** A word without the punctuation around it. */
const core = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}'])[^\p{L}\p{N}']+$/gu, '');

/** `word` with its letters replaced and its punctuation kept. */
const swapped = (word: string, by: Word): Word => {
  const at = word.toLowerCase().indexOf(core(word));
  const [head, tail] = [word.slice(0, at), word.slice(at + core(word).length)];
  return typeof by === 'string' ? head + by + tail : say`${head}${by}${tail}`;
};

/** Words with the speaker's pronouns changed to the third person. Undefined when a 'you' cannot be replaced. */
function inThirdPerson(words: string[], listener: string | undefined): Word[] | undefined {
  const out: Word[] = [];
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    const own = core(word);
    const shifted = SHIFTED[own];
    const before = core(words[k - 1] ?? '');
    const opens = /[.?!]$/.test(words[k - 1] ?? '');
    if (own === 'was' && before === 'i') out.push(swapped(word, 'were'));
    // A time keeps its "AM", as in "9:00 AM".
    else if (own === 'am' && !/\d$/.test(before) && !word.startsWith('AM')) out.push(swapped(word, 'are'));
    else if (shifted !== undefined) out.push(swapped(word, opens ? capital(shifted) : shifted));
    else if (own === 'your' && listener) out.push(swapped(word, say`${{ speaker: listener }}'s`));
    else if (own === 'you' && listener && BEFORE_OBJECT.has(core(words[k - 1] ?? '')))
      out.push(swapped(word, [{ speaker: listener }]));
    // 'You can' may mean people in general or the listener.
    else if (own.startsWith('you')) return undefined;
    else out.push(word);
  }
  return out;
}

/** First words of complete sentences. Sentences with other first words can be fragments, appeals or names. */
const SUBJECT =
  /^(?:the|a|an|my|our|there|there's|this|that|that's|it|it's|it'll|they|they're|he|he's|she|she's|everyone|everybody|nobody|someone|somebody|some|all|most|every|each|these|those|unfortunately)$/;
/** A rough test for a verb. */
const VERB =
  /'(?:s|re|m|ve|ll|d)\b|n't\b|\b(?:is|are|was|were|am|has|have|had|do|does|did|can|could|will|would|shall|should|must|may|might|\w{2,}ed|\w{2,}s)\b/i;
/** Reporting verbs more precise than 'says'. */
const REPORTING: readonly [RegExp, string][] = [
  [/\b(?:because|the reason|that's why)\b/i, 'explains that'],
  [
    /\b(?:not working|isn't|doesn't|won't|can't|broken|problem|issue|trouble|wrong|unfortunately|error|failed)\b/i,
    'reports that',
  ],
  [/\b(?:(?:you|we|i) (?:could|should)|why don't)\b/i, 'suggests that'],
];
const reportingOf = (text: string): string => REPORTING.find(([cue]) => cue.test(text))?.[1] ?? 'says';

/**
 * A sentence in the third person without quotation marks: 'I need a tool' becomes 'Ann needs a tool'. It uses only the
 * spoken words, names, pronouns and a reporting verb.
 * @param text a cleaned sentence, see `clean`.
 * @returns undefined if that is not safe; the sentence is then better quoted
 */
export function indirectSpeech(text: string, who: Reported): Spans | undefined {
  let plain = text
    .replaceAll('’', "'")
    .replace(OPENING_WORD, '')
    .replace(/,? please\b/i, '');
  if (
    DIRECT_ONLY.test(
      plain.replace(
        /\b(i|we|you)'d (?=like|love|prefer|rather|want|need|suggest|recommend|say|have to|be)/gi,
        '$1 would ',
      ),
    )
  )
    return undefined;
  for (const [pattern, by] of SPELLED_OUT) plain = plain.replace(pattern, by);
  if (
    plain.split(' ').length > MAX_WORDS ||
    FILLERS.cutOff.test(plain) ||
    FALSE_START.test(plain) ||
    INTRODUCTION.test(plain)
  )
    return undefined;
  return plain.endsWith('?') ? reportedQuestion(plain.slice(0, -1), who) : reportedStatement(plain, who);
}

function reportedStatement(plain: string, { speaker, listener }: Reported): Spans | undefined {
  const words = plain.split(' ');
  const subject = core(words[0] ?? '');
  let at = 1;
  while (ADVERBS.has(core(words[at] ?? ''))) at++;
  const verb = core(words[at] ?? '');
  if (subject === 'i') {
    const third = thirdPerson(verb);
    if (third === undefined && !UNCHANGED.has(verb) && !/[^e]ed$/.test(verb)) return undefined;
    if (PEOPLE.test(words.slice(at + 1).join(' '))) return undefined;
    const rest = inThirdPerson(words.slice(at + 1), listener);
    if (!rest) return undefined;
    return joined([{ speaker }, ...words.slice(1, at), swapped(words[at]!, third ?? verb), ...rest], ' ');
  }
  // A statement about others, or about the speaker's side, needs a reporting verb in front.
  if (!SUBJECT.test(subject) || words.length < 4 || !VERB.test(plain) || PEOPLE.test(plain)) return undefined;
  const rest = inThirdPerson([words[0]!.toLowerCase(), ...words.slice(1)], listener);
  return rest && joined([{ speaker }, reportingOf(plain), ...rest], ' ');
}

const REQUEST =
  /^(?:could|would|will) you (?:please )?(?!like\b|be\b|have\b|prefer\b|say\b|rather\b|want\b|happen\b)(.+)$/i;
const WISH = /^(would|could|should|can|may|will|shall) (i|we|you) (.+)$/i;
const OPEN = /^(what|which|how|when|where|who)((?: [\p{L}']+){0,2}) (would|could|should|can|will) (i|we|you) (.+)$/iu;

function reportedQuestion(plain: string, { speaker, listener }: Reported): Spans | undefined {
  const person = (word: string): Spans | undefined => {
    if (word.toLowerCase() !== 'you') return say`they`;
    return listener === undefined ? undefined : [{ speaker: listener }];
  };
  const tail = (text: string): Spans | undefined => {
    const words = inThirdPerson(text.split(' '), listener);
    return words && joined(words, ' ');
  };
  const request = REQUEST.exec(plain);
  if (request && listener) {
    const asked = tail(request[1]!);
    return asked && say`${{ speaker }} asks ${{ speaker: listener }} to ${asked}`;
  }
  const wish = WISH.exec(plain);
  if (wish) {
    const [, modal = '', subject = '', rest = ''] = wish;
    const whom = person(subject);
    const asked = tail(rest);
    return whom && asked && say`${{ speaker }} asks whether ${whom} ${modal.toLowerCase()} ${asked}`;
  }
  const open = OPEN.exec(plain);
  if (open) {
    const [, word = '', noun = '', modal = '', subject = '', rest = ''] = open;
    const whom = person(subject);
    const asked = tail(rest);
    return (
      whom && asked && say`${{ speaker }} asks ${word.toLowerCase()}${noun} ${whom} ${modal.toLowerCase()} ${asked}`
    );
  }
  return undefined;
}
