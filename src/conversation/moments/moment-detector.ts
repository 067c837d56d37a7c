import { MOMENT_CATEGORY_NAMES, type MomentCategory, momentCategory } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import { type ActSentence, actSentences, sentenceConfidence } from '../dialogue-acts/act-sentences.ts';
import { readSurfaces } from '../dialogue-acts/dialogue-acts.ts';
import type { Language } from '../language.ts';
import { OBJECTION_LABELS, type ObjectionLabel } from '../lexicon/objection-labels.ts';
import { OpenSentences } from '../text/open-sentences.ts';
import { Participants, type Run } from '../text/participants.ts';
import { asks } from '../text/questions.ts';
import { words } from '../text/tokens.ts';
import { FLOORS, type Floors, type FloorsByKind } from './floors.ts';
import { JoinedTurn } from './joined-turn.ts';
import { MomentNetwork, type MomentWeights, type NetworkOutput } from './moment-network.ts';
import { type FoundMoment, OfferBook, type PossibleOffer } from './offers.ts';
import { SmallTalkGuess } from './small-talk.ts';
import { type TurnFeatures, type TurnWindow, turnFeatures } from './turn-features.ts';
import { wordRuns } from './word-runs.ts';

/** Reads a turn together with its neighbours. Results are in log-odds. */
export type MomentReader = Pick<MomentNetwork, 'read' | 'readPart'>;

/** Number of turns read together with the next one: the current turn and the two before it. */
const TURNS_READ = 3;
/** Number of the other side's turns after which an answer counts as late. */
const PROMPT_TURNS = 3;

/** The categories in the order in which the moments of a turn are reported, and the categories that answer an offer. */
const IN_ORDER = MOMENT_CATEGORY_NAMES.toSorted((a, b) => momentCategory(a).order - momentCategory(b).order);
const ANSWERS = IN_ORDER.filter((category) => momentCategory(category).answers);

/** Minimum length of a sentence that opens a subject without announcing it, words. A shorter one takes the floor. */
const NEW_TOPIC_WORDS = 5;
const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));
const logOdds = (p: number): number => Math.log(p / (1 - p));

/** A category that was found in a turn. */
interface Found {
  category: MomentCategory;
  /** The sentence to quote. */
  sentence: ActSentence;
  confidence: number;
  labels: string[];
  /** The offer that it answers. */
  offer?: FoundMoment | undefined;
}

/**
 * Detects key moments. A turn is read once the next turn is known, because that shows how it was meant, or at the end.
 * If pauses divide a speaker's sentence, its utterances form one turn. The moments of the turn are then reported with
 * their confidence and never withdrawn, so that a stream and the findings contain the same list. An acceptance or a
 * refusal names the offer that it answers (see `OfferBook`). Sometimes only the answer shows that the turn was an
 * offer. The confidence that a moment needs depends on the kind of conversation (see `FLOORS`).
 */
export class MomentDetector {
  readonly #conversationId: string;
  readonly #language: Language;
  readonly #thresholds: MomentWeights['thresholds'];
  readonly #reader: MomentReader;
  readonly #offers = new OfferBook();
  readonly #speakers = new Set<string>();
  readonly #participants: Participants;
  /** The run of the latest turn. */
  #run: Run | undefined;
  /** Latest first. */
  #latest: TurnFeatures[] = [];
  #turns = 0;
  readonly #smallTalk: Pick<SmallTalkGuess, 'add' | 'isSmallTalk'>;
  readonly #floors: FloorsByKind;
  #reportedCount = 0;
  readonly #open = new OpenSentences();
  /** The utterances of the latest turn. */
  #spoken: JoinedTurn | undefined;

  /**
   * @param parts in place of the weights' network and the guess (tests and benches), and of the floors of the network
   * that reads encodings
   */
  constructor(
    conversationId: string,
    weights: MomentWeights,
    language: Language,
    {
      reader = new MomentNetwork(weights),
      smallTalk = new SmallTalkGuess(language),
      floors = FLOORS,
    }: {
      reader?: MomentReader;
      smallTalk?: Pick<SmallTalkGuess, 'add' | 'isSmallTalk'>;
      floors?: FloorsByKind;
    } = {},
  ) {
    this.#conversationId = conversationId;
    this.#language = language;
    this.#participants = new Participants(language);
    this.#smallTalk = smallTalk;
    this.#thresholds = weights.thresholds;
    this.#reader = reader;
    this.#floors = floors;
  }

  /**
   * @param encoding vector of the words' meaning (`encoding.ts`); without it the result is less certain
   * @returns the moments of the previous utterance, which this one reveals
   */
  add(utterance: Utterance, encoding?: Float32Array): FoundMoment[] {
    const speakers = this.#speakers.add(utterance.speaker).size;
    const run = this.#participants.add(utterance);
    this.#smallTalk.add(utterance.text);
    const index = this.#turns++;
    const [latest, ...earlier] = this.#latest;
    if (this.#open.add(utterance) && latest && this.#spoken) {
      const { joined, encoding: whole } = this.#spoken.add(utterance, encoding);
      const position = { index: latest.index, speakers, encoding: whole };
      this.#latest = [turnFeatures(joined, position, this.#language), ...earlier];
      return [];
    }
    const next = turnFeatures(utterance, { index, speakers, encoding }, this.#language);
    const found = this.#decide(next);
    this.#spoken = new JoinedTurn(utterance, encoding);
    this.#run = run;
    this.#latest = [next, ...this.#latest].slice(0, TURNS_READ);
    return found;
  }

  /** Reads the last utterance. @returns its moments; a second call returns none */
  end(): FoundMoment[] {
    const found = this.#decide(undefined);
    this.#latest = [];
    return found;
  }

  /** The moments of the latest turn. */
  #decide(next: TurnFeatures | undefined): FoundMoment[] {
    const [turn, before, earlier] = this.#latest;
    const spoken = this.#spoken;
    if (!turn || !spoken) return [];
    const { utterance } = turn;
    const window = { turn, before, earlier, next };
    this.#offers.pass(utterance.speaker);
    const sentences = actSentences(utterance.text, this.#language);
    if (sentences.length === 0) return [];
    const reading = this.#reader.read(window);
    const answered = this.#offers.answeredBy(utterance.speaker);
    const found: FoundMoment[] = [];
    const reported = new Map<MomentCategory, FoundMoment>();
    const readAs = (category: MomentCategory): Omit<Found, 'labels'> => {
      const sentence = this.#quotable(sentences, window, category);
      return { category, sentence, confidence: sigmoid(reading[category]) * sentenceConfidence(utterance, sentence) };
    };
    const floors = this.#kindFloors;
    const floorOf = ({ category, sentence }: Pick<Found, 'category' | 'sentence'>): number => {
      if (category === 'cta_offered' && !asks(sentence.text, this.#language)) return floors.statedOffer;
      if (momentCategory(category).hasGrounds && !this.#offers.isReported(utterance.speaker)) return floors.unprompted;
      return floors[category];
    };
    for (const category of this.#likely(reading, answered !== undefined)) {
      const read = readAs(category);
      if (read.confidence < Math.max(floorOf(read), this.#thresholds[category])) continue;
      const offer = momentCategory(category).answers ? answered : undefined;
      if (offer && !offer.moment && offer.chance < floors.impliedOffer) continue;
      if (offer && !offer.moment) {
        offer.moment = offer.toMoment();
        found.push(offer.moment);
      }
      const labels = labelsOf(read, reading, utterance.text, this.#language, offer);
      const isShort = words(read.sentence.text).length < NEW_TOPIC_WORDS;
      if (momentCategory(category).opensTopic && isShort && labels.length === 0) continue;
      const moment = this.#moment(spoken, { ...read, labels, offer: offer?.moment });
      found.push(moment);
      reported.set(category, moment);
    }
    const made = reported.get('cta_offered');
    this.#offers.keep({
      speaker: utterance.speaker,
      turns: 0,
      chance: sigmoid(reading.cta_offered),
      ...(made && { moment: made }),
      toMoment: () => this.#moment(spoken, { ...readAs('cta_offered'), labels: [] }),
    });
    return found;
  }

  /** The floors of what the conversation seems to be so far. */
  get #kindFloors(): Floors {
    if (this.#smallTalk.isSmallTalk) return this.#floors.smallTalk;
    return this.#participants.people > 2 ? this.#floors.meeting : this.#floors.other;
  }

  /**
   * The categories that were found in a turn, in reporting order. Between acceptance and rejection, only the more
   * likely one is returned.
   */
  #likely(reading: NetworkOutput, canAnswer: boolean): MomentCategory[] {
    const lead = (category: MomentCategory): number => reading[category] - logOdds(this.#thresholds[category]);
    const answer = canAnswer ? ANSWERS.reduce((best, one) => (lead(one) > lead(best) ? one : best)) : undefined;
    const isAlone = this.#participants.people < 2 || this.#run?.machine !== undefined;
    return IN_ORDER.filter((category) => {
      const { answers, needsOthers } = momentCategory(category);
      return lead(category) >= 0 && !(needsOthers && isAlone) && (!answers || category === answer);
    });
  }

  /** The sentence that contributes most to a category of the turn. */
  #quotable(sentences: readonly ActSentence[], window: TurnWindow, category: MomentCategory): ActSentence {
    if (sentences.length === 1) return sentences[0]!;
    const worth = sentences.map(({ text }) => this.#reader.readPart(window, wordRuns(text))[category]);
    return sentences[worth.indexOf(Math.max(...worth))]!;
  }

  #moment(spoken: JoinedTurn, { category, sentence, confidence, labels, offer }: Found): FoundMoment {
    const evidence = spoken.evidence(sentence);
    const { speaker, t_start, t_end } = spoken.over(evidence);
    return {
      moment_id: `${this.#conversationId}_mom_${this.#reportedCount++}`,
      category,
      speaker_id: speaker,
      start_ms: Math.round(t_start * 1000),
      end_ms: Math.round(t_end * 1000),
      utterance_ids: evidence.map(({ utterance_id }) => utterance_id),
      labels,
      evidence: [...evidence, ...(offer?.evidence ?? [])],
      confidence: Math.round(Math.min(1, confidence) * 1e4) / 1e4,
      ...(offer && { answers: offer.moment_id }),
    };
  }
}

function labelsOf(
  { category, sentence }: Pick<Found, 'category' | 'sentence'>,
  reading: NetworkOutput,
  text: string,
  language: Language,
  offer?: PossibleOffer,
): string[] {
  if (offer) return offer.turns > PROMPT_TURNS ? ['late'] : [];
  const { opensTopic, hasGrounds } = momentCategory(category);
  if (opensTopic)
    return readSurfaces(sentence.text, language).some(({ cues }) => cues.has('topic.announce')) ? ['announced'] : [];
  if (!hasGrounds) return [];
  // Phrases supplement the network, whose training data had few objections with a reason other than need.
  const stated = statedLabels(text, language);
  const worth = (label: ObjectionLabel): number => reading[label] + (stated[label] ?? 0);
  const likeliest = OBJECTION_LABELS.toSorted((a, b) => worth(b) - worth(a));
  return likeliest.filter((label, i) => i === 0 || worth(label) > 0);
}

/** Log-odds of an objection's reasons, based on the phrases of its sentences. */
function statedLabels(text: string, language: Language): Partial<Record<ObjectionLabel, number>> {
  const stated: Partial<Record<ObjectionLabel, number>> = {};
  for (const { cueLogits } of readSurfaces(text, language))
    for (const label of OBJECTION_LABELS) {
      const worth = cueLogits[label];
      if (worth !== undefined) stated[label] = Math.max(stated[label] ?? 0, worth);
    }
  return stated;
}
