import type { Unread } from '../../../src/contract/timeline.ts';
import { isReadLanguage, READ_LANGUAGES } from '../../../src/conversation/languages.ts';
import type { RecogniserEngine } from './recogniser.ts';
import type { Understanding } from './understanding.ts';

/** The language in the result when the recogniser does not support the one spoken. */
const UNKNOWN = 'unknown';

const baseOf = (language: string) => language.split('-')[0]!.toLowerCase();

/** The transcription of one utterance. */
export interface Transcribed {
  engine: Pick<RecogniserEngine, 'id' | 'languages' | 'mishearsOtherLanguages'>;
  /** The language that the engine reported. */
  language: string | undefined;
}

/** Decides which words of a recording an analysis can read, and which language they are in. */
export class ReadableWords {
  readonly #named: string | undefined;
  /** Verdicts on the parts of the recording so far. The last is that of the next utterance. */
  readonly #verdicts: Understanding[] = [];
  /** Utterances by language. */
  readonly #languages = new Map<string, number>();
  readonly #unread = new Map<Unread, number>();
  #unsupportedBy: string | null = null;

  /**
   * @param named the spoken language (BCP 47), if the client stated it
   * @param understanding whether the recording was understood, for a recogniser that mishears other languages
   */
  constructor(named: string | undefined, understanding: Understanding) {
    this.#named = named;
    this.#verdicts.push(understanding);
  }

  /** A part of the recording begins. @param understanding whether it was understood */
  next(understanding: Understanding): void {
    this.#verdicts.push(understanding);
  }

  /** Counts an utterance. @returns the reason for not reading its words; undefined if they are read */
  add(transcribed: Transcribed, understanding = this.#verdicts.at(-1)!): Unread | undefined {
    const language = this.#named ?? transcribed.language ?? onlyOne(transcribed.engine.languages);
    const unread = this.#unreadOf(transcribed.engine, language, understanding);
    if (language !== undefined && unread !== 'not_understood')
      this.#languages.set(language, (this.#languages.get(language) ?? 0) + 1);
    if (unread) this.#unread.set(unread, (this.#unread.get(unread) ?? 0) + 1);
    return unread;
  }

  #unreadOf(
    { id, languages, mishearsOtherLanguages }: Transcribed['engine'],
    language: string | undefined,
    understanding: Understanding,
  ): Unread | undefined {
    const isSupported = language === undefined || languages.some((known) => baseOf(known) === baseOf(language));
    if (mishearsOtherLanguages && !isSupported) {
      this.#unsupportedBy = id;
      return 'not_understood';
    }
    if (mishearsOtherLanguages && understanding !== 'understood') return 'not_understood';
    return language === undefined || isReadLanguage(language) ? undefined : 'language';
  }

  /**
   * The language of most utterances (BCP 47). `unknown` means that it was not understood. Null means too little speech
   * to decide.
   */
  get language(): string | null {
    const most = [...this.#languages].sort(([, a], [, b]) => b - a)[0]?.[0];
    if (most !== undefined || this.#named !== undefined) return most ?? this.#named ?? null;
    return this.#understanding === 'not_understood' ? UNKNOWN : null;
  }

  /** The verdict on the recording: understood where a part was. */
  get #understanding(): Understanding {
    return (['understood', 'not_understood'] as const).find((one) => this.#verdicts.includes(one)) ?? 'uncertain';
  }

  get warnings(): string[] {
    const warnings: string[] = [];
    if (this.#unsupportedBy !== null)
      warnings.push(`${this.#unsupportedBy} does not support ${this.#named}, so its words were not analysed.`);
    else if (this.#unread.has('not_understood')) warnings.push(NOT_UNDERSTOOD[this.#understanding]);
    if (this.#unread.has('language'))
      warnings.push(
        `The words in ${this.language} were not analysed: the analysis supports only ${READ_LANGUAGES.join(', ')}.`,
      );
    return warnings;
  }
}

const NOT_UNDERSTOOD: Readonly<Record<Understanding, string>> = {
  not_understood:
    'The speech was not understood: the recogniser does not support its language, or the recording is too unclear. Its words were not analysed.',
  uncertain: 'There is too little clear speech to tell whether it was understood, so its words were not analysed.',
  understood: 'Some utterances were not understood, so their words were not analysed.',
};

const onlyOne = (languages: readonly string[]): string | undefined =>
  languages.length === 1 ? languages[0] : undefined;
