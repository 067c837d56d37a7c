import type { MomentCategory, MomentEvent } from '../../../src/contract/findings.ts';
import type { Utterance } from '../../../src/contract/timeline.ts';
import {
  type ActWeights,
  CATEGORY_OF,
  type ContextModel,
  type ContextWeights,
  sigmoid,
} from '../../../src/conversation/acts/act-model.ts';
import {
  type Considered,
  consideredAgain,
  Listener,
  type Outcome,
  withAnswers,
} from '../../../src/conversation/moments/considered.ts';
import { strongest } from '../../../src/conversation/moments/context.ts';
import { logOdds } from '../../../src/conversation/moments/decisions.ts';
import { type Answer, answersOf, openOffer } from '../../../src/conversation/moments/offers.ts';
import { WARM_UP } from '../../../src/conversation/moments/topic-shifts.ts';
import { type Again, TurnReader } from '../../../src/conversation/moments/turn-reader.ts';
import type { Dialogue, Turn, UnseenReadings } from './corpus.ts';
import { isExchange } from './heads.ts';

/** One decision: of a turn, or of a turn about what it may answer. */
export interface Row {
  values: Record<string, number>;
  positive: boolean;
  dialogue: string;
  turn: number;
  /** Whether it was told at once: then it stands, whatever is decided in hindsight. */
  told: boolean;
}

export type Rows = Record<ContextModel, Row[]>;

export const noRows = (): Rows => ({ accepted: [], rejected: [], shift: [], offer: [], objection: [] });

/** Rows of what is decided at once and of what is decided in hindsight, and the models of both. */
export interface Decisions<T> {
  atOnce: T;
  hindsight: T;
}

/** A turn as an utterance named by its number. */
export const spoken = (turn: number, speaker: string, text: string): Utterance => ({
  utterance_id: String(turn),
  speaker,
  t_start: turn,
  t_end: turn + 1,
  text,
});

/** Stored readings take the place of the encodings they were made from. */
export const UNUSED = new Float32Array(0);

/** Where only words are known there is nothing to tell. */
const UNREAD: UnseenReadings[string] = { at_once: { turns: [], pairs: {} }, in_hindsight: { turns: [], pairs: {} } };

/** Tells what was read in a dialogue before. */
export const storedReader = ({ at_once, in_hindsight }: UnseenReadings[string]): TurnReader =>
  new TurnReader({
    turn: ([turn], after) => (after ? in_hindsight : at_once).turns[turn!.index]!,
    pair: ([turn], back, after) => (after ? in_hindsight : at_once).pairs[`${turn!.index} ${turn!.index - back}`]!,
  });

/**
 * Rows for the models that read in context, of dialogues that the heads have not seen.
 * @param known what was read in them by networks that have not seen them; without it the rows are those of words alone,
 * which are decided at once
 * @param decide the context models of an earlier round: what stands in the context is then what they would have found,
 * as when a conversation is read; without them it is what is marked
 */
export function contextRows(
  dialogues: Dialogue[],
  weights: ActWeights,
  known?: UnseenReadings,
  decide?: Decisions<ContextWeights>,
): Decisions<Rows> {
  const rows = { atOnce: noRows(), hindsight: noRows() };
  for (const { id, turns } of dialogues) {
    const reader = storedReader(known?.[id] ?? UNREAD);
    const listener = new Listener(reader, weights);
    let latest: Taken | undefined;
    const close = (again: Again | undefined): void => {
      if (!latest) return;
      if (again) latest.decide(consideredAgain(latest.considered, again), rows.hindsight, decide?.hindsight);
      listener.note(latest.considered.heard, latest.outcome);
    };
    for (const [i, turn] of turns.entries()) {
      const u = spoken(i, turn.speaker, turn.text);
      const reading = reader.read(u, known && UNUSED);
      close(reader.again());
      latest = new Taken(id, turn, listener.consider(u, reading), decide !== undefined && !isExchange(id));
      latest.decide(latest.considered, rows.atOnce, decide?.atOnce);
    }
    close(reader.atLast());
  }
  return rows;
}

/** A turn on its way through: what was found, or is marked, in it so far. */
class Taken {
  readonly considered: Considered;
  readonly outcome: Outcome & { answers: Pick<Answer, 'offer' | 'accepted'>[]; categories: MomentCategory[] } = {
    answers: [],
    categories: [],
  };
  readonly #dialogue: string;
  readonly #turn: Turn;
  readonly #guessed: boolean;

  /** @param guessed whether what was found counts, and not what is marked */
  constructor(dialogue: string, turn: Turn, considered: Considered, guessed: boolean) {
    this.#dialogue = dialogue;
    this.#turn = turn;
    this.considered = considered;
    this.#guessed = guessed;
    const { u, acts } = considered.heard;
    const best = strongest(acts, 'offer');
    if (best) this.outcome.offer = openOffer(u, best, best.logits.offer);
    if (guessed) return;
    this.outcome.categories.push(...(turn.moments ?? []).map((m) => m.category));
    const { offer } = this.outcome;
    if (offer && this.outcome.categories.includes('cta_offered')) offer.moment = { moment_id: '' } as MomentEvent;
    for (const { offer } of considered.mayAnswer)
      for (const accepted of [false, true])
        if (this.#isMarked(accepted ? 'accepted' : 'rejected', offer.utterance)) {
          offer.settledBy.add(u.speaker);
          this.outcome.answers.push({ offer, accepted });
        }
  }

  #isMarked(model: ContextModel, offer?: Utterance): boolean {
    return (this.#turn.moments ?? []).some(
      (m) => m.category === CATEGORY_OF[model] && (!offer || String(m.answers) === offer.utterance_id),
    );
  }

  /** Adds the rows, and what these models find that was not found before. */
  decide({ heard, mayAnswer, ...features }: Considered, rows: Rows, models: ContextWeights | undefined): void {
    const { outcome } = this;
    const { index } = heard;
    const told = (model: ContextModel): boolean => this.#guessed && outcome.categories.includes(CATEGORY_OF[model]);
    const row = (model: ContextModel, values: Record<string, number>, positive: boolean): void => {
      rows[model].push({ values, positive, dialogue: this.#dialogue, turn: index, told: told(model) });
    };
    for (const { offer, read } of mayAnswer)
      for (const model of ['accepted', 'rejected'] as const)
        row(model, read.values, this.#isMarked(model, offer.utterance));
    if (isExchange(this.#dialogue)) return;
    if (this.#guessed && models)
      for (const answer of answersOf(mayAnswer, models, outcome.answers)) {
        outcome.answers.push(answer);
        outcome.categories.push(answer.accepted ? 'cta_accepted' : 'cta_rejected');
      }
    for (const model of ['shift', 'objection', 'offer'] as const) {
      if (model === 'shift' && index < WARM_UP) continue;
      const values = withAnswers(features[model], outcome.answers);
      row(model, values, this.#isMarked(model));
      if (!this.#guessed || !models) continue;
      const logit = logOdds(models[model], values);
      if (model === 'offer' && outcome.offer) outcome.offer.logit = logit;
      if (sigmoid(logit) < models[model].threshold || told(model)) continue;
      outcome.categories.push(CATEGORY_OF[model]);
      if (model === 'offer' && outcome.offer) outcome.offer.moment = { moment_id: '' } as MomentEvent;
    }
  }
}
