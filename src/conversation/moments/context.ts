import type { MomentCategory } from '../../contract/findings.ts';
import type { SentenceAct } from '../acts/dialogue-acts.ts';
import { OBJECTION_LABELS } from '../lexicon/en/objections.ts';
import { takesUp } from './answers.ts';
import { CERTAIN, clip, flag } from './features.ts';

interface Heard {
  speaker: string;
  question: boolean;
  amount: boolean;
  /** Log-odds of its being an offer, whatever it was taken for. */
  offer: number;
  words: ReadonlySet<string>;
  categories: readonly MomentCategory[];
}

/** Utterances that are remembered: what was said before is out of the way. */
const REMEMBERED = 6;
/** Words up to which an utterance is a fragment, between `^` and `$`. */
const FRAGMENT_TOKENS = 8;
const LONG_TOKENS = 22;
/** Turns after which it makes no difference how long nothing has happened. */
const QUIET_TURNS = 10;

/** The sentence that has most of something. */
export function strongest(
  acts: readonly SentenceAct[],
  head: 'offer' | 'objection' | 'agreement' | 'refusal' | 'deferral' | 'topic',
): SentenceAct | undefined {
  return acts.reduce<SentenceAct | undefined>((a, b) => (a && a.logits[head] >= b.logits[head] ? a : b), undefined);
}

/** What was said in the last few turns, as far as it tells whether an utterance objects or offers. */
export class TalkContext {
  #heard: Heard[] = [];
  #turns = 0;
  #momentAt: number | undefined;

  /** Remembers an utterance once its moments are known. */
  note(speaker: string, acts: readonly SentenceAct[], categories: readonly MomentCategory[]): void {
    const classes = acts.flatMap((a) => a.sentence.classes);
    this.#heard.push({
      speaker,
      question: acts.some((a) => a.sentence.question),
      amount: classes.includes('<money>') || classes.includes('<num>'),
      offer: clip(strongest(acts, 'offer')?.logits.offer ?? -CERTAIN),
      words: new Set(acts.flatMap((a) => a.sentence.tokens)),
      categories,
    });
    if (this.#heard.length > REMEMBERED) this.#heard.shift();
    this.#turns++;
    if (categories.some((c) => c !== 'topic_shift')) this.#momentAt = this.#turns;
  }

  /** Features of the objection model. */
  objection(speaker: string, acts: readonly SentenceAct[]): Record<string, number> {
    const before = this.#before(speaker);
    const own = describe(acts);
    const logit = clip(strongest(acts, 'objection')?.logits.objection ?? -CERTAIN);
    const offered = flag(
      before.other?.categories.includes('cta_offered') || before.secondOther?.categories.includes('cta_offered'),
    );
    const taken = flag(before.other && takesUp(acts, before.other.words));
    const yes = flag(acts.some((a) => a.sentence.classes.includes('<yes>')));
    return {
      ...own,
      ...this.#quiet(),
      logit,
      takesUp: taken,
      takesUpAmount: taken * flag(before.other?.amount) * (1 - yes),
      takesUpNoYes: taken * (1 - yes),
      yes,
      heardOfferLogit: before.other?.offer ?? -CERTAIN,
      label: clip(Math.max(...OBJECTION_LABELS.map((l) => strongest(acts, 'objection')?.logits[l] ?? -CERTAIN))),
      first: flag(this.#heard.length === 0),
      offered,
      offeredLogit: offered * logit,
      heardAmount: flag(before.other?.amount),
      heardAmountAndAmount: flag(before.other?.amount) * own.amount,
      heardQuestion: flag(before.other?.question),
      offersSelf: flag(before.self?.categories.includes('cta_offered')),
      bidding: flag(this.#heard.some((h) => h.categories.includes('cta_offered'))),
      objectedSelf: flag(before.self?.categories.includes('objection')),
      makesOffer: clip(strongest(acts, 'offer')?.logits.offer ?? -CERTAIN),
      refusal: clip(strongest(acts, 'refusal')?.logits.refusal ?? -CERTAIN),
      agreement: clip(strongest(acts, 'agreement')?.logits.agreement ?? -CERTAIN),
      deferral: clip(strongest(acts, 'deferral')?.logits.deferral ?? -CERTAIN),
    };
  }

  /** Features of the offer model. */
  offer(speaker: string, acts: readonly SentenceAct[]): Record<string, number> {
    const before = this.#before(speaker);
    const own = describe(acts);
    const pushedBack = flag(
      before.other?.categories.some((c) => c === 'cta_rejected' || c === 'objection') ||
        before.secondOther?.categories.includes('cta_rejected'),
    );
    const bidding = flag(this.#heard.some((h) => h.categories.includes('cta_offered')));
    return {
      ...own,
      ...this.#quiet(),
      logit: clip(strongest(acts, 'offer')?.logits.offer ?? -CERTAIN),
      pushedBack,
      bidding,
      counter: bidding * own.fragment * Math.max(own.amount, own.day),
      counterQuestion: bidding * own.fragment * own.question * Math.max(own.amount, own.day),
      pushedBackAmount: pushedBack * Math.max(own.amount, own.day),
      heardQuestion: flag(before.other?.question && !before.other.categories.includes('cta_offered')),
      heardOffer: flag(before.other?.categories.includes('cta_offered')),
      offeredSelf: flag(before.self?.categories.includes('cta_offered')),
      heardYes: flag(before.other?.categories.includes('cta_accepted')),
      commits: flag(acts.some((a) => a.cues.has('commitment.will'))),
      asksFact: flag(acts.some((a) => a.cues.has('offer.not-fact'))),
      refusal: clip(strongest(acts, 'refusal')?.logits.refusal ?? -CERTAIN),
      agreement: clip(strongest(acts, 'agreement')?.logits.agreement ?? -CERTAIN),
    };
  }

  /** How long nothing has happened: talk without any moment mostly goes on without any. */
  #quiet(): { quiet: number; nothingYet: number } {
    return {
      quiet: Math.min(QUIET_TURNS, this.#turns - (this.#momentAt ?? 0)) / QUIET_TURNS,
      nothingYet: flag(this.#momentAt === undefined),
    };
  }

  #before(speaker: string): { other?: Heard; secondOther?: Heard; self?: Heard } {
    const others = this.#heard.filter((h) => h.speaker !== speaker);
    const last = this.#heard.at(-1);
    return {
      other: last?.speaker === speaker ? undefined : last,
      secondOther: others.at(-2),
      self: this.#heard.findLast((h) => h.speaker === speaker),
    };
  }
}

type Description = Record<
  'question' | 'fragment' | 'long' | 'amount' | 'day' | 'negations' | 'good' | 'bad' | 'listening' | 'but',
  number
>;

/** What the words of an utterance are, whatever they do. */
function describe(acts: readonly SentenceAct[]): Description {
  const classes = acts.flatMap((a) => a.sentence.classes);
  const count = (name: string): number => Math.min(2, classes.filter((c) => c === name).length);
  return {
    question: flag(acts.some((a) => a.sentence.question)),
    fragment: flag(classes.length <= FRAGMENT_TOKENS),
    long: flag(classes.length > LONG_TOKENS),
    amount: flag(classes.includes('<money>') || classes.includes('<num>')),
    day: flag(classes.includes('<day>') || classes.includes('<month>')),
    negations: count('<neg>'),
    good: count('<good>'),
    bad: count('<bad>'),
    listening: flag(acts.every((a) => a.act === 'back_channel')),
    but: flag(acts.some((a) => a.cues.has('but'))),
  };
}
