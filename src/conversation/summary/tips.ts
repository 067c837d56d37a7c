import type { ConversationMetrics } from '../../contract/insights.ts';
import type { Language } from '../language.ts';
import type { Spans } from '../sentences/spans.ts';
import { percent } from './wording.ts';

/** The facts that a tip can use. */
export interface TipsInput {
  metrics: ConversationMetrics;
  language: Language;
}

/** Amount of speech below which shares and rates mean nothing, seconds. */
const ENOUGH_SPEECH_S = 30;
/**
 * Minimum share of the talk of two or three people for one to dominate the others (Gong advises sellers to stay near
 * .43).
 */
const CROWDING_RATIO = 0.7;
/** Longest monologue that listeners follow well, seconds (Gong's benchmark for sales calls is 2.5 min). */
const LONG_MONOLOGUE_S = 150;
/** Minimum speech rate that is hard to follow, words per minute (conversational English has 120 to 180). */
const FAST_WPM = 210;
/** Number of interruptions per minute above which they no longer count as eagerness. */
const MANY_INTERRUPTIONS = 3;
const MAX_TIPS = 4;

/** Advice based on a number from this conversation. There is none when nothing stands out, and at most `MAX_TIPS`. */
export function giveTips({ metrics, language }: TipsInput): Spans[] {
  const { tips: say } = language.sentences;
  const tips: Spans[] = [];
  const speakers = Object.entries(metrics.speakers);
  for (const [name, m] of speakers) {
    if (m.talk_time_s < ENOUGH_SPEECH_S) continue;
    if (speakers.length > 1 && speakers.length <= 3 && (m.talk_ratio ?? 0) >= CROWDING_RATIO)
      tips.push(say.dominance(name, percent(m.talk_ratio ?? 0)));
    if (speakers.length > 1 && (m.longest_monologue_s ?? 0) >= LONG_MONOLOGUE_S)
      tips.push(say.monologue(name, Math.round(m.longest_monologue_s ?? 0)));
    if (m.interruptions >= MANY_INTERRUPTIONS) tips.push(say.interruptions(name, m.interruptions));
    if (m.words_per_minute >= FAST_WPM) tips.push(say.pace(name, Math.round(m.words_per_minute)));
  }
  return tips.slice(0, MAX_TIPS);
}
