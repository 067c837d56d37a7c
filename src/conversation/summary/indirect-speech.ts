import { DEFAULT_LANGUAGE } from '../languages.ts';
import { isCutOff } from '../text/quotes.ts';
import { capital } from './phase-names.ts';

/** Who said a sentence, and to whom when there is only one other. */
export interface Reported {
  speaker: string;
  listener: string | undefined;
}

/** A longer sentence is easier to follow in its own words. */
const MAX_WORDS = 24;

/** Words after 'I' that do not become what they are after a name by an s. */
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  "i'm": 'is',
  have: 'has',
  "haven't": "hasn't",
  do: 'does',
  "don't": "doesn't",
  go: 'goes',
};
/** Verbs that do; none that is spelled alike in the past ("I put", "I read"). */
const REGULAR = new Set(
  'need want think feel know believe hope prefer like love live work use run get see plan expect guess suppose wonder suggest recommend propose agree understand remember appreciate promise own sell offer doubt mind hear accept admit apologize apologise arrive ask buy call care carry collect cook deal depend deserve disagree drink drive eat enjoy envy follow forget give handle hate help imagine insist intend keep leave listen look make manage mean meet miss move notice pay play realize realise receive recognize refuse respect save speak spend start stay stop study suffer support take teach tend travel trust try visit wait walk watch wear wish worry write'.split(
    ' ',
  ),
);

/** A verb as it follows a name. */
function thirdPerson(verb: string): string | undefined {
  if (!REGULAR.has(verb)) return IRREGULAR[verb];
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  return /(?:s|sh|ch|x|z)$/.test(verb) ? `${verb}es` : `${verb}s`;
}

/** Words after 'I' or 'we' that stay as they are after a name: modals and pasts that are no present too. */
const UNCHANGED = new Set(
  "will would can could should must might may won't wouldn't ought can't cannot couldn't shouldn't had hadn't was wasn't did didn't said told got went came took gave made bought paid found thought knew felt saw heard met left lost kept sent brought began broke chose drove ate fell flew forgot grew held led meant ran sold sat spoke spent stood taught understood woke won wrote became caught built".split(
    ' ',
  ),
);
const ADVERBS = new Set(
  'just really also only still already always never now actually probably definitely certainly usually even'.split(' '),
);
/** Contractions of a speaker that are spelled out before anything else. */
const SPELLED_OUT: readonly [RegExp, string][] = [
  [/\b(i)'m\b/gi, '$1 am'],
  [/\b(we|you|they)'re\b/gi, '$1 are'],
  [/\b(i|we|you)'ve\b/gi, '$1 have'],
  [/\b(i|we|you)'ll\b/gi, '$1 will'],
  [/\b(i|we|you)'d (like|love|prefer|rather|want|need|suggest|recommend|say|have to|be)\b/gi, '$1 would $2'],
];
/** Words of a speaker and what they become in the third person. */
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
/** Before these words 'you' is somebody something is done to, so that a name can stand there. */
const BEFORE_OBJECT = new Set(
  'for to with from of about at on send give call help show tell ask get let offer put charge refund bring see meet thank reach email remind advise owe book schedule pay wish want need'.split(
    ' ',
  ),
);
/** Sentences that lose their sense when retold: appeals, address, quotations, filler, false starts. */
const UNTOLD =
  /^(let's|let us|please|thank|sorry|look|listen|see|go|come|give|take|tell|try|wait|hold|check|feel)\b|\b(you know|i mean|you see|you guys|kind of|sort of|yourself|thanks?|afraid (not|so)|well,? (i|we|you|it|he|she|they|in|if))\b|[“”"]|\b(i|we|you)'d\b|\.\.\./i;
/** Somebody begins anew: 'I went, we went', 'I've, I had'. */
const BEGUN_ANEW = /^(?:i|we)\b[^,.]{0,24}, (?:i|we|they|he|she|it)\b/i;
const OPENING_WORD =
  /^(?:i know,? but|honestly|frankly|actually|basically|obviously|oh|well|okay|so|and|but|yes|no),? /i;

/** What a word stands for without the marks around it. */
const core = (word: string): string =>
  word.toLowerCase().replace(/^[^\p{L}\p{N}]+|(?<![^\p{L}\p{N}'])[^\p{L}\p{N}']+$/gu, '');

/** `word` with its marks, its letters replaced. */
const swapped = (word: string, by: string): string => {
  const at = word.toLowerCase().indexOf(core(word));
  return word.slice(0, at) + by + word.slice(at + core(word).length);
};

/** Pronouns turned from the speaker's view to the reader's; undefined where 'you' cannot be. */
function turned(words: string[], listener: string | undefined): string[] | undefined {
  const out: string[] = [];
  for (let k = 0; k < words.length; k++) {
    const word = words[k]!;
    const own = core(word);
    const shifted = SHIFTED[own];
    const before = core(words[k - 1] ?? '');
    const opens = /[.?!]$/.test(words[k - 1] ?? '');
    if (own === 'was' && before === 'i') out.push(swapped(word, 'were'));
    // Not the one of a time: "9:00 AM".
    else if (own === 'am' && !/\d$/.test(before) && !word.startsWith('AM')) out.push(swapped(word, 'are'));
    else if (shifted !== undefined) out.push(swapped(word, opens ? capital(shifted) : shifted));
    else if (own === 'your' && listener) out.push(swapped(word, `${listener}'s`));
    else if (own === 'you' && listener && BEFORE_OBJECT.has(core(words[k - 1] ?? '')))
      out.push(swapped(word, listener));
    // 'You can' is said of anybody as often as of the listener.
    else if (own.startsWith('you')) return undefined;
    else out.push(word);
  }
  return out;
}

/** How sentences begin that have a subject and stand alone; others may be fragments, appeals or names. */
const SUBJECT =
  /^(?:the|a|an|my|our|there|there's|this|that|that's|it|it's|it'll|they|they're|he|he's|she|she's|we|if|when|everyone|everybody|nobody|someone|somebody|some|all|most|every|each|these|those|unfortunately)$/;
/** What has none of these has no verb, and is no sentence. */
const VERB =
  /'(?:s|re|m|ve|ll|d)\b|n't\b|\b(?:is|are|was|were|am|has|have|had|do|does|did|can|could|will|would|shall|should|must|may|might|\w{2,}ed|\w{2,}s)\b/i;
/** What a speaker does by a sentence, beside saying it. */
const ACTS: readonly [RegExp, string][] = [
  [/\b(?:because|the reason|that's why)\b/i, 'explains that'],
  [
    /\b(?:not working|isn't|doesn't|won't|can't|broken|problem|issue|trouble|wrong|unfortunately|error|failed)\b/i,
    'reports that',
  ],
  [/\b(?:(?:you|we|i) (?:could|should)|why don't)\b/i, 'suggests that'],
];
const actOf = (text: string): string => ACTS.find(([cue]) => cue.test(text))?.[1] ?? 'says';

/**
 * What somebody said in the third person, without quotation marks: 'I need a tool' becomes 'Ann needs a tool'. Only words
 * that were said, names, pronouns and a reporting verb are used.
 * @param text a cleaned sentence, see `clean`.
 * @returns undefined where that cannot be done safely: the sentence is then better quoted.
 */
export function retell(text: string, who: Reported): string | undefined {
  let plain = text
    .replaceAll('’', "'")
    .replace(OPENING_WORD, '')
    .replace(/,? please\b/i, '');
  if (
    UNTOLD.test(
      plain.replace(
        /\b(i|we|you)'d (?=like|love|prefer|rather|want|need|suggest|recommend|say|have to|be)/gi,
        '$1 would ',
      ),
    )
  )
    return undefined;
  for (const [pattern, by] of SPELLED_OUT) plain = plain.replace(pattern, by);
  if (plain.split(' ').length > MAX_WORDS || isCutOff(plain, DEFAULT_LANGUAGE) || BEGUN_ANEW.test(plain))
    return undefined;
  return plain.endsWith('?') ? retoldQuestion(plain.slice(0, -1), who) : retoldStatement(plain, who);
}

function retoldStatement(plain: string, { speaker, listener }: Reported): string | undefined {
  const words = plain.split(' ');
  const subject = core(words[0] ?? '');
  let at = 1;
  while (ADVERBS.has(core(words[at] ?? ''))) at++;
  const verb = core(words[at] ?? '');
  if (subject === 'i') {
    const third = thirdPerson(verb);
    if (third === undefined && !UNCHANGED.has(verb) && !/[^e]ed$/.test(verb)) return undefined;
    const rest = turned(words.slice(at + 1), listener);
    if (!rest) return undefined;
    return [speaker, ...words.slice(1, at), swapped(words[at]!, third ?? verb), ...rest].join(' ');
  }
  // What is said of nobody present, or of the speaker's side, is reported as said.
  if (!SUBJECT.test(subject) || words.length < 4 || !VERB.test(plain)) return undefined;
  const rest = turned([words[0]!.toLowerCase(), ...words.slice(1)], listener);
  return rest && `${speaker} ${actOf(plain)} ${rest.join(' ')}`;
}

const REQUEST =
  /^(?:could|would|will) you (?:please )?(?!like\b|be\b|have\b|prefer\b|say\b|rather\b|want\b|happen\b)(.+)$/i;
const WISH = /^(would|could|should|can|may|will|shall) (i|we|you) (.+)$/i;
const OPEN = /^(what|which|how|when|where|who)((?: [\p{L}']+){0,2}) (would|could|should|can|will) (i|we|you) (.+)$/iu;

function retoldQuestion(plain: string, { speaker, listener }: Reported): string | undefined {
  const person = (word: string) => (word.toLowerCase() === 'you' ? listener : 'they');
  const tail = (text: string) => turned(text.split(' '), listener)?.join(' ');
  const request = REQUEST.exec(plain);
  if (request && listener) {
    const asked = tail(request[1]!);
    return asked && `${speaker} asks ${listener} to ${asked}`;
  }
  const wish = WISH.exec(plain);
  if (wish) {
    const [, modal = '', subject = '', rest = ''] = wish;
    const whom = person(subject);
    const asked = tail(rest);
    return whom && asked && `${speaker} asks whether ${whom} ${modal.toLowerCase()} ${asked}`;
  }
  const open = OPEN.exec(plain);
  if (open) {
    const [, word = '', noun = '', modal = '', subject = '', rest = ''] = open;
    const whom = person(subject);
    const asked = tail(rest);
    return whom && asked && `${speaker} asks ${word.toLowerCase()}${noun} ${whom} ${modal.toLowerCase()} ${asked}`;
  }
  return undefined;
}
