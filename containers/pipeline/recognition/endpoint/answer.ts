import * as z from 'zod';
import { NOTHING, type RecognisedWord, type Recognition } from '../recogniser.ts';

/** Confidence of a word for which the endpoint reports none. */
const DEFAULT_CONFIDENCE = 0.8;
/** Fastest plausible speech, words per second. A transcript with more words does not belong to this audio. */
const MOST_WORDS_A_SECOND = 12;
const LEAST_WORDS = 10;
const LONGEST_WORD = 200;

const seconds = z.number().finite();
/**
 * `verbose_json` of POST /audio/transcriptions (OpenAI; whisper.cpp, faster-whisper, vLLM and others use the same
 * format).
 */
const AnswerSchema = z.object({
  text: z.string(),
  // The English name of the language, or its code.
  language: z.string().max(LONGEST_WORD).nullish(),
  words: z
    .array(
      z.object({
        word: z.string().max(LONGEST_WORD),
        start: seconds,
        end: seconds,
        // faster-whisper's server returns the probability of a word.
        probability: z.number().min(0).max(1).optional(),
      }),
    )
    .nullish(),
  segments: z
    .array(z.object({ text: z.string(), start: seconds, end: seconds, avg_logprob: z.number().finite().optional() }))
    .nullish(),
});
type Answer = z.infer<typeof AnswerSchema>;
type Segments = NonNullable<Answer['segments']>;

/** An answer that cannot be parsed. The message gives the reason, for the log. */
class UnreadableAnswer extends Error {}

/**
 * The recognition in an endpoint's answer. Times are clamped to the audio and put in order. Without word times, those
 * of the segments are distributed in proportion to letters.
 * @param length of the audio, s
 * @throws UnreadableAnswer
 */
export function recognitionOf(body: string, length: number): Recognition {
  const { text, language: named, words, segments } = parsed(body);
  const timed = words?.length ? words : spread(segments?.length ? segments : [{ text, start: 0, end: length }]);
  const spokenWords = timed.map((one) => ({ ...one, word: one.word.trim() })).filter(({ word }) => word !== '');
  if (spokenWords.length === 0) return NOTHING;
  if (spokenWords.length > Math.max(LEAST_WORDS, MOST_WORDS_A_SECOND * length))
    throw new UnreadableAnswer(`${spokenWords.length} words for ${length.toFixed(1)} s of audio`);
  let from = 0;
  const recognised = spokenWords.map(({ word, start, end, probability }): RecognisedWord => {
    const begin = Math.min(length, Math.max(from, start));
    from = Math.min(length, Math.max(begin, end));
    const confidence = probability ?? confidenceAt(segments ?? [], (start + end) / 2);
    return { word, start: begin, end: from, confidence, tokens: 1 };
  });
  const mean = recognised.reduce((sum, { confidence }) => sum + Math.log(Math.max(confidence, Number.MIN_VALUE)), 0);
  return {
    text: recognised.map(({ word }) => word).join(' '),
    confidence: Math.exp(mean / recognised.length),
    words: recognised,
    cut: false,
    ...languageMember(named),
  };
}

const CODES = [...'abcdefghijklmnopqrstuvwxyz'];
/** ISO 639-1 codes by the lower-case English names of their languages. */
const CODE_OF: ReadonlyMap<string, string> = new Map(
  CODES.flatMap((first) => CODES.map((second) => first + second)).flatMap((code) => {
    const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(code);
    return name ? [[name.toLowerCase(), code] as const] : [];
  }),
);

/** The language that an endpoint reports, if it is the name or code of one. */
function languageMember(named: string | null | undefined): { language?: string } {
  const name = named?.trim().toLowerCase() ?? '';
  const code = CODE_OF.get(name) ?? (/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/.test(name) ? name : undefined);
  return code === undefined ? {} : { language: code };
}

function parsed(body: string): Answer {
  let json: unknown;
  try {
    json = JSON.parse(body);
  } catch {
    throw new UnreadableAnswer('the response is not JSON');
  }
  const read = AnswerSchema.safeParse(json);
  if (!read.success)
    throw new UnreadableAnswer(`the response has an invalid ${read.error.issues[0]?.path.join('.') || 'structure'}`);
  return read.data;
}

/** exp(mean token log-probability) of the segment at a given time. */
function confidenceAt(segments: Segments, at: number): number {
  const own = segments.find(({ start, end }) => at >= start && at <= end);
  return own?.avg_logprob === undefined ? DEFAULT_CONFIDENCE : Math.min(1, Math.exp(own.avg_logprob));
}

function spread(segments: Segments): NonNullable<Answer['words']> {
  return segments.flatMap(({ text, start, end }) => {
    const words = text.split(/\s+/).filter(Boolean);
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    let passed = 0;
    return words.map((word) => {
      const from = start + ((end - start) * passed) / letters;
      passed += word.length;
      return { word: word.slice(0, LONGEST_WORD), start: from, end: start + ((end - start) * passed) / letters };
    });
  });
}
