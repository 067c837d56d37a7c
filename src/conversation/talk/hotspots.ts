import type { Insights } from '../../contract/insights.ts';
import type { Utterance } from '../../contract/timeline.ts';

type Hotspot = Insights['cognitive_profile']['hotspots'][number];

/** Signal from which an utterance stands out. */
const HOT_SIGNAL = 0.5;
/** Score of an utterance whose cognitive load is high: above any signal that just stands out. */
const HIGH_LOAD_SCORE = 0.6;
const MAX_HOTSPOTS = 5;
/** Utterances between two hotspots: neighbours tell of the same place. */
const MIN_DISTANCE = 3;
/** Characters of the utterance that a description quotes. */
const QUOTE_CHARS = 80;

const SIGNALS = [
  ['confused', 'confusion', 'sounds confused'],
  ['uncertain', 'uncertainty', 'sounds uncertain'],
  ['disengaged', 'disengagement', 'sounds disengaged'],
] as const;

/** The places where somebody struggled or dropped out: the strongest first found apart, in order of time. */
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

function hotspotOf(u: Utterance): Hotspot | undefined {
  const signals = u.cognitive_signals ?? {};
  const [name, type, says] = SIGNALS.reduce((best, s) => ((signals[s[0]] ?? 0) > (signals[best[0]] ?? 0) ? s : best));
  const signal = signals[name] ?? 0;
  const loaded = u.load_level === 'high';
  if (signal < HOT_SIGNAL && !loaded) return undefined;
  const bySignal = signal >= HOT_SIGNAL && (!loaded || signal >= HIGH_LOAD_SCORE);
  const quote = u.text.length > QUOTE_CHARS ? `${u.text.slice(0, QUOTE_CHARS).trimEnd()}...` : u.text;
  return {
    t: u.t_start,
    type: bySignal ? type : 'high_load',
    description: bySignal
      ? `${u.speaker} ${says} (${signal.toFixed(2)}): "${quote}"`
      : `Cognitive load of ${u.speaker} is high: "${quote}"`,
    score: bySignal ? signal : HIGH_LOAD_SCORE,
  };
}
