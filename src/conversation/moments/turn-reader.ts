import type { Utterance } from '../../contract/timeline.ts';
import { sigmoid } from '../acts/act-model.ts';
import { countWords } from '../acts/sentences.ts';
import { clip } from './features.ts';
import { type HeardTurn, PAIR_TURNS, type Reading, type SeenAfter, SILENT } from './heard-turns.ts';

/** What is told of a turn, in the order of the network's outputs. */
export const TURN_OUTPUTS = ['objection', 'offer', 'accepted', 'rejected', 'shift'] as const;

/** Log-odds that a turn does each of these things, by its encoding and those of the turns before it. */
export type TurnReading = Record<(typeof TURN_OUTPUTS)[number], number> & {
  /** Logarithm of how many of them a turn of this conversation did so far, changes of subject aside. */
  business: number;
};

/** Log-odds that a turn accepts, and that it rejects, what an earlier one said. */
export interface AnswerReading {
  accepted: number;
  rejected: number;
}

/** Of what was said too long ago to be read beside an answer: seldom answered. */
const LONG_AGO: AnswerReading = { accepted: -3, rejected: -3 };

/** What a turn does on average, and how many turns' worth of it are taken for granted. */
const USUAL_BUSINESS = 0.4;
const USUAL_TURNS = 3;

/** A turn read once more, in hindsight. */
export interface Again {
  reading: TurnReading;
  /** Whether it answers an earlier one. */
  answers(earlier: Utterance): AnswerReading;
}

/** Reads turn after turn of one conversation, and each once more when the next one is known. */
export class TurnReader {
  readonly #reading: Reading;
  readonly #speakers = new Set<string>();
  /** Latest first. */
  #heard: HeardTurn[] = [];
  #done = USUAL_BUSINESS * USUAL_TURNS;
  #turns = USUAL_TURNS;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** @returns nothing for a turn without an encoding; it is remembered as one of which nothing is known */
  read(utterance: Utterance, encoding: Float32Array | undefined): TurnReading | undefined {
    this.#speakers.add(utterance.speaker);
    const turn: HeardTurn = {
      index: this.#heard.length > 0 ? this.#heard[0]!.index + 1 : 0,
      utterance,
      encoding: encoding ?? SILENT,
      words: countWords(utterance.text),
      speakers: this.#speakers.size,
    };
    // Two more than are answered: the turn before the latest is asked about as well, and the one before an offer is seen too.
    this.#heard = [turn, ...this.#heard].slice(0, PAIR_TURNS + 3);
    if (!encoding) return undefined;
    const said = named(this.#reading.turn(this.#heard));
    this.#done += sigmoid(said.objection) + sigmoid(said.offer) + sigmoid(said.accepted) + sigmoid(said.rejected);
    this.#turns++;
    turn.business = Math.log(this.#done / this.#turns);
    return { ...said, business: turn.business };
  }

  /** Whether the turn read last, which came with an encoding, answers an earlier one. */
  answers(earlier: Utterance): AnswerReading {
    return this.#answers(this.#heard, earlier);
  }

  /** The turn before the latest, in the light of the latest; nothing where it came without an encoding. */
  again(): Again | undefined {
    const [next, ...heard] = this.#heard;
    return this.#again(heard, next?.business === undefined ? undefined : next);
  }

  /** The latest turn, when nothing comes after it; nothing where it came without an encoding. */
  atLast(): Again | undefined {
    return this.#again(this.#heard, undefined);
  }

  #again(heard: HeardTurn[], next: HeardTurn | undefined): Again | undefined {
    const business = heard[0]?.business;
    if (business === undefined) return undefined;
    const after = { next };
    return {
      reading: { ...named(this.#reading.turn(heard, after)), business },
      answers: (earlier) => this.#answers(heard, earlier, after),
    };
  }

  #answers(heard: HeardTurn[], earlier: Utterance, after?: SeenAfter): AnswerReading {
    const back = heard.findIndex((turn) => turn.utterance === earlier);
    if (back < 1 || back > PAIR_TURNS) return LONG_AGO;
    const [accepted, rejected] = Array.from(this.#reading.pair(heard, back, after)) as [number, number];
    return { accepted, rejected };
  }
}

const named = (logits: ArrayLike<number>) =>
  Object.fromEntries(TURN_OUTPUTS.map((name, k) => [name, logits[k]])) as Omit<TurnReading, 'business'>;

/** Features with what the networks say beside them; without a reading, the features alone. */
export function withReading(
  values: Record<string, number>,
  reading: TurnReading | undefined,
  answer?: AnswerReading,
): Record<string, number> {
  if (!reading) return values;
  const all: Record<string, number> = { ...values, business: reading.business };
  for (const name of TURN_OUTPUTS) all[`reads ${name}`] = clip(reading[name]);
  if (answer) {
    all['answers yes'] = clip(answer.accepted);
    all['answers no'] = clip(answer.rejected);
  }
  return all;
}
