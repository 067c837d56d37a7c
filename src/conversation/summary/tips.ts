import type { ConversationMetrics } from '../../contract/insights.ts';
import type { Outcomes } from '../outcomes.ts';
import type { Hotspot } from '../turn-taking/hotspots.ts';
import { adviceOn } from './hotspot-descriptions.ts';
import { percent } from './wording.ts';

/** What a tip may rest on. */
export interface TipsInput {
  metrics: ConversationMetrics;
  hotspots: readonly Hotspot[];
  outcomes: Pick<Outcomes, 'open'>;
}

/** Speech below which shares and rates say nothing, seconds. */
const ENOUGH_SPEECH_S = 30;
/** Share of two or three people's talk from which one crowds the others out (Gong advises sellers to stay near .43). */
const CROWDING_RATIO = 0.7;
/** Longest monologue that listeners follow well, seconds (Gong's benchmark for sales calls is 2.5 min). */
const LONG_MONOLOGUE_S = 150;
/** Words a minute from which speech is hard to follow (conversational English lies at 120 to 180). */
const FAST_WPM = 210;
/** Interruptions a minute of conversation that are more than eagerness. */
const MANY_INTERRUPTIONS = 3;
const MAX_TIPS = 4;

/** Advice that a number of this conversation calls for; none when nothing stands out. At most `MAX_TIPS`. */
export function giveTips({ metrics, hotspots, outcomes: { open } }: TipsInput): string[] {
  const tips: string[] = [];
  const speakers = Object.entries(metrics.speakers);
  if (open.length > 0) {
    const proposals = open.length === 1 ? 'One proposal was' : `${open.length} proposals were`;
    tips.push(`${proposals} left without a yes or no: follow up.`);
  }
  for (const [name, m] of speakers) {
    if (m.talk_time_s < ENOUGH_SPEECH_S) continue;
    if (speakers.length > 1 && speakers.length <= 3 && m.talk_ratio >= CROWDING_RATIO) {
      tips.push(`${name} held ${percent(m.talk_ratio)} % of the talk: leave more room for the other side.`);
    }
    if (speakers.length > 1 && m.longest_monologue_s >= LONG_MONOLOGUE_S) {
      tips.push(`${name} spoke ${Math.round(m.longest_monologue_s)} s without a break: check in sooner.`);
    }
    if (m.interruptions >= MANY_INTERRUPTIONS) {
      tips.push(`${name} cut in ${m.interruptions} times: let the other side finish.`);
    }
    if (m.words_per_minute >= FAST_WPM) {
      tips.push(`${name} spoke at ${Math.round(m.words_per_minute)} words a minute: slow down where it matters.`);
    }
  }
  const unclear = hotspots.filter(({ by }) => by === 'confused' || by === 'uncertain');
  const worst = unclear.sort((a, b) => b.score - a.score)[0];
  if (worst) tips.push(adviceOn(worst));
  return tips.slice(0, MAX_TIPS);
}
