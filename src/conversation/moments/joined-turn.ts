import type { Evidence } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { quote } from '../dialogue-acts/act-sentences.ts';
import { SENTENCE_DIMENSIONS } from '../encoding.ts';
import type { Sentence } from '../text/sentences.ts';

/** A turn. It consists of one utterance, or of several if pauses divided a sentence. */
export class JoinedTurn {
  /** The utterances of the turn, each with its position in the joined text. */
  readonly #pieces: { utterance: Utterance; from: number }[];
  #joined: Utterance;
  readonly #encodings: (Float32Array | undefined)[];

  constructor(utterance: Utterance, encoding: Float32Array | undefined) {
    this.#joined = utterance;
    this.#pieces = [{ utterance, from: 0 }];
    this.#encodings = [encoding];
  }

  /**
   * Adds the utterance that continues the turn.
   * @returns the whole turn as one utterance, and the mean of the encodings
   */
  add(utterance: Utterance, encoding: Float32Array | undefined): { joined: Utterance; encoding?: Float32Array } {
    const { text, words, asr_confidence } = this.#joined;
    this.#pieces.push({ utterance, from: text.length + 1 });
    this.#encodings.push(encoding);
    this.#joined = {
      ...this.#joined,
      text: `${text} ${utterance.text}`,
      t_end: Math.max(this.#joined.t_end, utterance.t_end),
      ...(words && utterance.words && { words: [...words, ...utterance.words] }),
      ...(asr_confidence !== undefined && {
        asr_confidence: Math.min(asr_confidence, utterance.asr_confidence ?? asr_confidence),
      }),
    };
    const mean = meanEncoding(this.#encodings);
    return { joined: this.#joined, ...(mean && { encoding: mean }) };
  }

  /** A sentence of the joined text as evidence, with a quote from each utterance that it extends over. */
  evidence({ text, start }: Sentence): Evidence[] {
    return this.#pieces.flatMap(({ utterance, from }) => {
      const own = utterance.text;
      const begin = Math.max(0, start - from);
      const said = own.slice(begin, Math.max(0, start + text.length - from));
      const trimmed = said.trim();
      if (trimmed === '') return [];
      return [quote(utterance, { text: trimmed, start: begin + said.indexOf(trimmed) })];
    });
  }

  /** The speaker, and the time from the first to the last quoted utterance. */
  over(evidence: readonly Evidence[]): Pick<Utterance, 'speaker' | 't_start' | 't_end'> {
    const ids = new Set(evidence.map(({ utterance_id }) => utterance_id));
    const quoted = this.#pieces.map(({ utterance }) => utterance).filter((u) => ids.has(u.utterance_id));
    return {
      speaker: this.#joined.speaker,
      t_start: quoted[0]?.t_start ?? this.#joined.t_start,
      t_end: Math.max(...quoted.map((u) => u.t_end)),
    };
  }
}

/** The mean of the encodings, with its sentence vector scaled to length 1 again. Undefined if one is missing. */
function meanEncoding(all: readonly (Float32Array | undefined)[]): Float32Array | undefined {
  const known = all.filter((one) => one !== undefined);
  const [first] = known;
  if (!first || known.length < all.length) return undefined;
  const mean = first.map((_, i) => known.reduce((sum, one) => sum + one[i]!, 0) / known.length);
  const length = Math.hypot(...mean.subarray(0, SENTENCE_DIMENSIONS)) || 1;
  for (let i = 0; i < SENTENCE_DIMENSIONS; i++) mean[i]! /= length;
  return mean;
}
