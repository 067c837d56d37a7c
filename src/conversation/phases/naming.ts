import type { MomentEvent } from '../../contract/findings.ts';
import { GENRE_CUES, type Genre, PHASE_KINDS, type PhaseKind } from '../lexicon/phase-kinds.ts';
import type { TopicWord } from './topic-words.ts';

/** A stretch of the conversation that wants a name. */
export interface Stretch {
  /** Utterances `from` to `to`, exclusive. */
  from: number;
  to: number;
  topics: TopicWord[];
  moments: MomentEvent[];
}

/** Share of utterances with a cue from which a phase kind fits. */
const KIND_FITS = 0.22;
/** Cued utterances a phase kind needs, unless the phase is as short. */
const KIND_CUES = 2;
/** Cued utterances the sort of conversation needs, and its share of all. */
const GENRE_CUES_NEEDED = 3;
const GENRE_SHARE = 0.06;
/** What a moment of the kind is worth, in cued utterances. */
const MOMENT_WORTH = 1.5;
/** What standing far from its place costs a kind, in share of cued utterances. */
const PLACE_COST = 0.35;
/** How far into the conversation an opening may reach, and how near its end a closing must begin. */
const EDGE = 0.3;

/** The sort of conversation its words speak for, or 'any'. */
export function genreOf(texts: string[]): Genre {
  let best: Genre = 'any';
  let most = Math.max(GENRE_CUES_NEEDED, GENRE_SHARE * texts.length) - 0.5;
  for (const [genre, cues] of Object.entries(GENRE_CUES) as [Exclude<Genre, 'any'>, RegExp][]) {
    const kinds = PHASE_KINDS.filter((k) => k.genre === genre);
    const cued = texts.filter((t) => cues.test(t)).length;
    const phased = texts.filter((t) => kinds.some((k) => k.cues.test(t))).length;
    const evidence = cued + phased / 3;
    if (cued >= GENRE_CUES_NEEDED && evidence > most) {
      most = evidence;
      best = genre;
    }
  }
  return best;
}

function plausibility(kind: PhaseKind, stretch: Stretch, texts: string[], index: number, last: number): number {
  const size = stretch.to - stretch.from;
  let cued = 0;
  for (let i = stretch.from; i < stretch.to; i++) if (kind.cues.test(texts[i]!)) cued++;
  const moments = stretch.moments.filter((m) => kind.moments?.includes(m.category)).length;
  const evidence = cued + MOMENT_WORTH * moments;
  if (evidence < Math.min(KIND_CUES, size)) return 0;
  if (kind.name === 'Opening' && (index > 0 || stretch.to > Math.max(6, EDGE * texts.length))) return 0;
  if (kind.name === 'Closing' && (index < last || stretch.from < (1 - EDGE) * texts.length)) return 0;
  const middle = (stretch.from + stretch.to) / 2 / texts.length;
  const misplaced = kind.place === undefined ? 0 : Math.abs(middle - kind.place);
  return Math.min(1, evidence / size) - PLACE_COST * misplaced;
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** 'Discussion: <topic>', with the one or two words that tell most. */
function topicName(topics: TopicWord[]): string {
  const [first, second] = topics;
  if (!first) return 'Discussion';
  const two = second && second.score > first.score / 2 && second.surface !== first.surface;
  return `Discussion: ${capital(first.surface)}${two ? ` and ${second.surface}` : ''}`;
}

/**
 * A name for every phase: a kind from the lists of its genre where the words bear it out, else 'Discussion: <topic>'.
 * Kinds named twice tell their topic too.
 * @param focus stems of the caller's context or goal: a phase about it is named by it.
 */
export function namePhases(stretches: Stretch[], texts: string[], focus: ReadonlySet<string>): string[] {
  const genre = genreOf(texts);
  const kinds = PHASE_KINDS.filter((k) => k.genre === 'any' || k.genre === genre);
  const last = stretches.length - 1;
  const names = stretches.map((stretch, index) => {
    const topic = topicName(stretch.topics);
    if (stretch.topics[0] && focus.has(stretch.topics[0].stem)) return topic;
    let best = KIND_FITS;
    let name = topic;
    for (const kind of kinds) {
      const score = plausibility(kind, stretch, texts, index, last);
      if (score > best) {
        best = score;
        name = kind.name;
      }
    }
    return name;
  });
  return names.map((name, i) => {
    const again = names.filter((n) => n === name).length > 1;
    const topic = stretches[i]!.topics[0];
    return again && topic && !name.startsWith('Discussion') ? `${name}: ${capital(topic.surface)}` : name;
  });
}
