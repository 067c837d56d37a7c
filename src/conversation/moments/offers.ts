import type { MomentEvent } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Sentence } from '../dialogue-acts/sentences.ts';
import type { SentenceAct } from '../dialogue-acts.ts';

export interface Offer {
  sentence: Sentence;
  confidence: number;
  labels: string[];
}

/** The answer that settles an offer. */
export interface Answer {
  offer: MomentEvent;
  accepted: boolean;
  sentence: Sentence;
  confidence: number;
  labels: string[];
}

interface OpenOffer {
  moment: MomentEvent;
  speaker: string;
  /** Whether it was put as a question, which a bare yes or no can answer. */
  asked: boolean;
  /** Turns of others since it was made. */
  turns: number;
  deferred: boolean;
}

/** Probability from which a sentence counts as an offer; chosen on the tuning half by `bench:moments`. */
const OFFER_THRESHOLD = 0.6;
/** Turns of the other side in which any answer can settle an offer (methods, section 6). */
const ANSWER_TURNS = 3;
/** Later turns only settle it by saying so plainly; after this many it is forgotten. */
const FORGOTTEN_TURNS = 40;
/** Offers kept open at once. */
const MAX_OPEN = 8;

/**
 * The offers of a conversation that nobody has answered yet, and the reading of what is said as an answer to them.
 *
 * A plain yes or no counts within three turns of the other side; a bare "yeah" only in the first and only when nothing is
 * held against it; "let me think about it" settles nothing and keeps the offer open, so that a late answer finds it.
 */
export class OfferBook {
  #open: OpenOffer[] = [];
  #lastSpeaker: string | undefined;

  /** Reads an utterance as the answer to the latest open offer of somebody else; settles that offer if it is one. */
  answer(u: Utterance, acts: SentenceAct[]): Answer | undefined {
    const newTurn = u.speaker !== this.#lastSpeaker;
    this.#lastSpeaker = u.speaker;
    if (newTurn) for (const o of this.#open) if (o.speaker !== u.speaker) o.turns++;
    this.#open = this.#open.filter((o) => o.turns <= FORGOTTEN_TURNS);
    const offer = this.#open.findLast((o) => o.speaker !== u.speaker);
    if (!offer) return undefined;
    const verdict = judge(acts, offer);
    if (verdict === 'deferred') offer.deferred = true;
    if (!verdict || verdict === 'deferred') return undefined;
    this.#open = this.#open.filter((o) => o !== offer);
    const { accepted, act, confidence } = verdict;
    const labels = [...(offer.turns > ANSWER_TURNS || offer.deferred ? ['late'] : []), ...(accepted ? [] : act.labels)];
    return { offer: offer.moment, accepted, sentence: act.sentence, confidence, labels };
  }

  /**
   * The strongest offer an utterance makes.
   * @param answering the sentence that was just read as an answer: "let's do that" proposes nothing new
   */
  find(_u: Utterance, acts: SentenceAct[], answering?: Sentence): Offer | undefined {
    const best = acts
      .filter((a) => a.sentence !== answering)
      .reduce<SentenceAct | undefined>((top, a) => (top && top.scores.offer >= a.scores.offer ? top : a), undefined);
    if (!best || best.scores.offer < OFFER_THRESHOLD) return undefined;
    return { sentence: best.sentence, confidence: best.scores.offer, labels: [] };
  }

  open(u: Utterance, moment: MomentEvent, offer: Offer): void {
    const entry = { moment, speaker: u.speaker, asked: offer.sentence.question, turns: 0, deferred: false };
    this.#open = [...this.#open, entry].slice(-MAX_OPEN);
  }
}

/** Score from which a sentence plainly agrees or refuses. */
const PLAIN = 0.6;

function judge(
  acts: SentenceAct[],
  offer: OpenOffer,
): { accepted: boolean; act: SentenceAct; confidence: number } | 'deferred' | undefined {
  const soon = offer.turns <= ANSWER_TURNS;
  let verdict: { accepted: boolean; act: SentenceAct; confidence: number } | undefined;
  let deferred = false;
  let weak: SentenceAct | undefined;
  let held = false;
  for (const act of acts) {
    const { agreement, refusal, deferral, objection, offer: counter } = act.scores;
    if (refusal >= PLAIN && refusal >= agreement && soon) verdict = { accepted: false, act, confidence: refusal };
    else if (deferral >= PLAIN && deferral > agreement) deferred = true;
    else if (agreement >= PLAIN && act.cues.has('yes.strong')) verdict = { accepted: true, act, confidence: agreement };
    else if (act.cues.has('yes.weak')) weak ??= act;
    if (act.sentence.question || objection >= PLAIN || counter >= PLAIN || act.cues.has('but')) held = true;
  }
  if (verdict?.accepted && held && !soon) return undefined;
  if (verdict) return verdict;
  if (deferred) return 'deferred';
  if (weak && !held && offer.turns <= 1 && offer.asked) return { accepted: true, act: weak, confidence: 0.55 };
  return undefined;
}
