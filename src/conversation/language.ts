import type { AffectLexicon } from './affect-lexicon.ts';
import type { CuePhrases } from './lexicon/cue-phrases.ts';
import type { Genre, PhaseKind, PhrasesOfKind } from './lexicon/phase-kinds.ts';
import type { DeliverySentences } from './sentences/delivery.ts';
import type { Sentences } from './sentences/sentences.ts';

/**
 * The language-specific data and functions for drawing and wording conclusions. An implementation is a folder (`en/`)
 * and one row of the table in `languages.ts`. No other file names a language.
 */
export interface Language {
  /** ISO 639-1. */
  code: string;
  words: WordForms;
  sentenceEnds: SentenceEnds;
  questions: QuestionForms;
  fillers: Fillers;
  participants: ParticipantCues;
  names: NameMentions;
  acts: ActForms;
  topics: TopicLists;
  boundaries: BoundaryCues;
  phases: PhaseLexicon;
  summaryCues: SummaryCues;
  commitments: CommitmentForms;
  dates: DateReader;
  smallTalk: SmallTalkWords;
  affect: AffectLexicon;
  delivery: DeliverySentences;
  sentences: Sentences;
}

/** Derives a value from a language on first use and keeps it, so that patterns are compiled only once. */
export function oncePerLanguage<T>(make: (language: Language) => T): (language: Language) => T {
  const made = new WeakMap<Language, { value: T }>();
  return (language) => {
    let kept = made.get(language);
    if (!kept) {
      kept = { value: make(language) };
      made.set(language, kept);
    }
    return kept.value;
  };
}

/** Kinds and forms of single words, in lower case. */
export interface WordForms {
  /** Function words, fillers and courtesies, which are not about any topic. */
  stopWords: ReadonlySet<string>;
  /** Numbers in words. */
  numbers: ReadonlySet<string>;
  /** Endings of adverbs, adjectives and verb forms. */
  notANoun: RegExp;
  possessive: RegExp;
  /** A word joined from two words, other than a possessive. */
  contraction: RegExp;
  /** @returns a light stem: the word without one inflectional suffix, so that singular and plural share it */
  stem(word: string): string;
}

/** How a text is split into sentences. */
export interface SentenceEnds {
  /**
   * The end of a sentence: punctuation before a blank, except for the full stop of an abbreviation or an initial. Flags
   * `gu`.
   */
  sentenceEnd: RegExp;
  /** The blank between two clauses of a long sentence. */
  betweenClauses: RegExp;
}

export interface QuestionForms {
  /** Words that can precede a question without being part of it. */
  beforeQuestion: RegExp;
  /** A verb before its subject. */
  inversion: RegExp;
  /** A question word with a verb before its subject, or one that needs no such verb. */
  questionWords: RegExp;
  /** A negative tag at the end of a sentence without punctuation: "you got it, didn't you". */
  tag: RegExp;
  /** Words that offer a choice in a question. */
  choice: RegExp;
}

/** Words without content. */
export interface Fillers {
  /** Fillers and discourse markers at the start of a quote. */
  leading: RegExp;
  /** Fillers at the end of a quote, matched backwards from there. The group is left out. */
  trailing: RegExp;
  /** Fillers within a quote. */
  filler: RegExp;
  /** Stutters. The first group is the word to keep. */
  repeated: RegExp;
  /** A word whose repetition is not a stutter: a number, a letter, a negation. */
  saidTwice: RegExp;
  /** A word of a number or of a spelled-out name, including its punctuation. */
  spelledOut: RegExp;
  /** The place where a speaker drops a sentence and begins another within it. */
  restart: RegExp;
  /** Words that do not end a complete sentence. */
  cutOff: RegExp;
  /** Global. */
  hesitation: RegExp;
  brokenOff: RegExp;
  /** A whole utterance that only shows listening. */
  backChannel: RegExp;
}

/** Signs of who is speaking: people talking to each other, or a recorded voice. */
export interface ParticipantCues {
  /** The greeting of an answering machine. */
  answeringMachine: RegExp;
  /** A recorded announcement to callers. */
  announcement: RegExp;
  /** The beginning of a response: a yes or no, thanks, a sign of listening. */
  response: RegExp;
  /** A greeting at the start of a sentence. */
  greeting: RegExp;
  /** Words addressed to a listener. */
  address: RegExp;
}

/** The ways in which names of speakers are said. */
export interface NameMentions {
  /**
   * Each pattern has a group `name`. `isSelf`: it is the name of who speaks, else of who is spoken to. `isPlain`: the
   * words mean nothing else.
   */
  mentions: readonly { pattern: RegExp; isSelf: boolean; isPlain: boolean }[];
  /** Words in lower case that are not names where one is expected. */
  notNames: ReadonlySet<string>;
}

/** The forms of a sentence in which dialogue acts are recognised. */
export interface ActForms {
  /** Words that can open a sentence before its content. */
  leading: ReadonlySet<string>;
  /** A subject that is named before its question (left dislocation). */
  fronted: RegExp;
  /** Hesitations and contracted forms of speech, with their replacements. */
  spokenForms: readonly (readonly [RegExp, string])[];
  /** Discourse markers of two words, and the one word that replaces each. */
  markers: readonly (readonly [RegExp, string])[];
  /** The phrases that show acts, by the cue names in `dialogue-acts/cue-models.ts`. */
  cues: CuePhrases;
  /** Classes of words that phrases refer to as `<class>`. */
  classes: CuePhrases;
}

export interface TopicLists {
  /** Stems of everyday words that are never a topic, though cohesion counts them as content words. */
  weakStems: ReadonlySet<string>;
  /** Words that are followed by a noun or its adjective. */
  determiners: ReadonlySet<string>;
  /** Words that separate noun phrases, though cohesion counts them as content words. */
  breaks: ReadonlySet<string>;
  /** How people name themselves and each other. The first group is the name. */
  named: RegExp;
  /** Capitalised words immediately before a name, within a sentence. */
  beforeName: RegExp;
}

/** Features of the boundary classifier. */
export interface BoundaryCues {
  /** A turn that opens something new. */
  openingCue: RegExp;
  /** A turn that closes what came before. */
  closingCue: RegExp;
  /** A turn that asks something, even if the recogniser printed no question mark. */
  asking: RegExp;
  /** Words that refer to what was just said. A question with one of them continues the topic. */
  leaning: RegExp;
}

export interface PhaseLexicon {
  /** Classes of words that phrases refer to as `<class>`. */
  classes: CuePhrases;
  phrases: Readonly<Record<PhaseKind, PhrasesOfKind>>;
  /** Phrases that show the genre of a conversation. */
  genres: Readonly<Record<Exclude<Genre, 'any'>, readonly string[]>>;
}

/** Kinds of words that are more or less frequent where nobody proposes anything. */
export type SmallTalkWordClass = 'self' | 'together' | 'told' | 'planned' | 'others' | 'business';

/** The words that tell small talk from talk in which something is to be settled. All patterns match one lower-case word. */
export interface SmallTalkWords {
  classes: Readonly<Record<SmallTalkWordClass, RegExp>>;
  /** Fillers and signs of listening, which do not count as words. */
  empty: RegExp;
}

/** Cues by which a summary selects its sentences. */
export interface SummaryCues {
  /** A sentence that announces something new. */
  announces: RegExp;
  /** Decisions, commitments, needs, problems, reasons, figures. */
  informativeCue: RegExp;
  /** The speaker states what they want from the conversation. */
  wanted: RegExp;
  courtesy: RegExp;
  /** Waiting, and identifying the caller. */
  procedure: RegExp;
  /** A sentence that refers back to the one before. */
  leaningStart: RegExp;
  /** A clause that depends on another one which is not in the sentence. */
  dependentOnly: RegExp;
  /** A word that stands for somebody or something named before, and one that names everybody; anchored. */
  pronoun: RegExp;
  anybody: RegExp;
  /** A pronoun that stands for nothing: "it is important that"; global. */
  expletive: RegExp;
  /** Words in which an account reports what others said: "asks", "agree", "meeting". */
  accountWords: ReadonlySet<string>;
  apology: RegExp;
  /** A word that asks for an account rather than naming its subject: "summarise", "opinion"; anchored. */
  asking: RegExp;
  /** A question that asks for a number. */
  asksNumber: RegExp;
  /** A question about what was agreed, accepted or declined. */
  asksOutcome: RegExp;
  /** A question about what was declined. */
  asksRefusal: RegExp;
  /** A yes that makes no choice. */
  bareYes: RegExp;
  praise: RegExp;
  complaint: RegExp;
  /** Praise of the other side or of the present events, not of something reported. */
  addressed: RegExp;
  /** A denial, matched up to the denied word. */
  denied: RegExp;
  /** A feeling that the speaker sees in the listener, up to the word for it. */
  seen: RegExp;
  /** A promise in the speaker's own name. */
  ownPromise: RegExp;
  pleasantry: RegExp;
  supposed: RegExp;
  /** A statement that a promise has been kept. */
  done: RegExp;
  time: RegExp;
  /** The things for which a goal can ask (a day, a time, a price, a number, a person), each with how a sentence names it. */
  asked: readonly { asks: RegExp; names: RegExp }[];
  /** The name or the sign of a currency. */
  price: RegExp;
}

/** How people commit themselves, ask for something, and answer. Every pattern matches within one sentence. */
export interface CommitmentForms {
  /** The speaker's promise, up to its verb: "I'll definitely ". Global. */
  own: RegExp;
  /** The same for a group: "we're going to ". Global. */
  shared: RegExp;
  /** An offer that waits for an answer, up to its verb: "shall I ". Global. */
  offered: RegExp;
  /** A request to a listener, up to its verb: "could you please ". Global. */
  asked: RegExp;
  /** A verb of a deed that can be checked later, at the start of a text. */
  deed: RegExp;
  /** A deed that can only be owed by several people together. */
  together: RegExp;
  /** A clause before a promise that says after which event it will be kept, up to the promise: "when it is paid, ". */
  afterEvent: RegExp;
  /** The end of a deed within a sentence. */
  deedEnd: RegExp;
  /** A deed whose object is only a pronoun, or missing: nobody who was not there knows what it is. */
  unnamed: RegExp;
  /** Words at the end of a deed that do not belong to it. */
  deedTail: ReadonlySet<string>;
  /** The end of a text after which a clause begins. */
  clauseStart: RegExp;
  /** Words between a date and the promise that it belongs to. */
  links: ReadonlySet<string>;
  /** Words before a promise that make it a report, a condition or a supposition. */
  before: RegExp;
  /** Words anywhere in a sentence that make it a habit, a supposition or a denial. */
  never: RegExp;
  /** Words after the verb that leave it open whether anything will be done. */
  unless: RegExp;
  /** Something done at once, or in the conversation itself. */
  atOnce: RegExp;
  /** Words that weaken a promise. */
  hedged: RegExp;
  /** The beginning of an answer that agrees, that promises by itself, and that declines. */
  agrees: RegExp;
  promises: RegExp;
  declines: RegExp;
  /** An answer that leaves a question open. */
  leavesOpen: RegExp;
  /** A question that expects no answer that could be missing. */
  idle: RegExp;
}

/** A day and a time of day, as a clock on the wall shows them: `2026-11-27` and `14:05`. */
export interface LocalTime {
  date: string;
  time: string;
}

/** Words that name a day or several days. */
export interface DateMention {
  /** Range of its characters. */
  at: number;
  end: number;
  text: string;
  /** The first of several days. */
  from: string | null;
  /** The day, or the last of several. */
  date: string;
  time: string | null;
  /** Set if it is joined with the mention before it by a word. */
  follows?: { at: number; word: string };
}

/** Finds dates on which something is due. */
export interface DateReader {
  /** Words about time that name no day: "soon", "at noon". */
  vague: RegExp;
  /** The start of a date that counts from an event: "in two days". */
  fromNow: RegExp;
  /** Words that lead to a date. */
  prepositions: ReadonlySet<string>;
  /** Days that a text names, none before the day on which it was said. */
  find(text: string, said: LocalTime): DateMention[];
}
