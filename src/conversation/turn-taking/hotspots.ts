import type { Level, Utterance } from '../../contract/timeline.ts';

/** Signals that a speaker is struggling or disengaging. */
const HOT_SIGNALS = ['confused', 'uncertain', 'disengaged'] as const;

/** An utterance in which a speaker struggled or disengaged. */
export interface Hotspot {
  utterance: Utterance;
  /** The reason for the hotspot: a signal, or a high cognitive load. */
  by: (typeof HOT_SIGNALS)[number] | 'load';
  /** The signal, 0 to 1, or a fixed score for cognitive load. */
  score: number;
}

/** Minimum signal at which an utterance stands out. */
const HOT_SIGNAL = 0.5;
const HOT_LOAD: Level = 'high';
/** Score of an utterance with high cognitive load. It exceeds any signal that barely stands out. */
const HIGH_LOAD_SCORE = 0.6;
const MAX_HOTSPOTS = 5;
/** Minimum distance between two hotspots, utterances. Neighbours show the same problem. */
const MIN_DISTANCE = 3;

/** The strongest hotspots that are far enough apart, in order of time. */
export function findHotspots(utterances: Utterance[]): Hotspot[] {
  const found: { index: number; spot: Hotspot }[] = [];
  utterances.forEach((u, index) => {
    const spot = hotspotOf(u);
    if (spot) found.push({ index, spot });
  });
  found.sort((a, b) => b.spot.score - a.spot.score || a.index - b.index);
  const kept: typeof found = [];
  for (const candidate of found) {
    if (kept.length === MAX_HOTSPOTS) break;
    if (kept.every((k) => Math.abs(k.index - candidate.index) >= MIN_DISTANCE)) kept.push(candidate);
  }
  return kept.sort((a, b) => a.index - b.index).map((k) => k.spot);
}

function hotspotOf(utterance: Utterance): Hotspot | undefined {
  const signals = utterance.cognitive_signals ?? {};
  const by = HOT_SIGNALS.reduce((best, s) => ((signals[s] ?? 0) > (signals[best] ?? 0) ? s : best));
  const score = signals[by] ?? 0;
  const loaded = utterance.load_level === HOT_LOAD;
  if (score >= HOT_SIGNAL && (!loaded || score >= HIGH_LOAD_SCORE)) return { utterance, by, score };
  return loaded ? { utterance, by: 'load', score: HIGH_LOAD_SCORE } : undefined;
}
