import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import type { TopicWord } from '../topics/topic-words.ts';

/** A phase that wants a name. */
export interface Unnamed {
  /** None where nothing fits. */
  kind: PhaseKind | undefined;
  topics: TopicWord[];
}

/** What phases of a kind are called. */
export const KIND_NAMES: Readonly<Record<PhaseKind, string>> = {
  opening: 'Opening',
  introductions: 'Introductions',
  closing: 'Closing',
  small_talk: 'Small Talk',
  request: 'Request',
  options: 'Options',
  pricing: 'Pricing',
  negotiation: 'Negotiation',
  scheduling: 'Scheduling',
  recommendation: 'Recommendation',
  agreement: 'Agreement',
  next_steps: 'Next Steps',
  problem: 'Problem',
  verification: 'Verification',
  troubleshooting: 'Troubleshooting',
  resolution: 'Resolution',
  order_details: 'Order Details',
  discovery: 'Discovery',
  product_presentation: 'Product Presentation',
  product_information: 'Product Information',
  objections: 'Objections',
  payment: 'Payment',
  background_and_experience: 'Background and Experience',
  skills_questions: 'Skills Questions',
  role_and_conditions: 'Role and Conditions',
  agenda: 'Agenda',
  presentation: 'Presentation',
  status_reports: 'Status Reports',
  decision: 'Decision',
};

/** Share of the first topic's weight from which the second is named with it. */
const SECOND_TOPIC = 0.75;

/** With a capital at its head, as a title has. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What a phase is about, in one or two phrases; undefined when nothing stands out. */
function topicOf([first, second]: TopicWord[]): string | undefined {
  if (!first) return undefined;
  const pair =
    second !== undefined &&
    first.mentions > 1 &&
    second.mentions > 1 &&
    second.score > SECOND_TOPIC * first.score &&
    !`${first.surface} ${second.surface}`.includes(' ', first.surface.length + 1);
  return capital(pair ? `${first.surface} and ${second.surface}` : first.surface);
}

/**
 * A name for every phase: its kind, else 'Discussion: <topic>'. A kind that comes twice, or a phase about what the caller
 * asked for, tells its topic too. Where two are about the same, the later one is named by what it says more.
 * @param focus stems of the caller's context or goal.
 */
export function namePhases(phases: Unnamed[], focus: ReadonlySet<string>): string[] {
  const kinds = phases.map(({ kind }) => kind && KIND_NAMES[kind]);
  const names: string[] = [];
  for (const [i, { topics }] of phases.entries()) {
    const kind = kinds[i];
    const repeated = kinds.filter((other) => other === kind).length > 1;
    const asked = topics[0] !== undefined && focus.has(topics[0].stem);
    const nameBy = (from: number): string => {
      const topic = topicOf(topics.slice(from));
      if (kind === undefined) return topic ? `Discussion: ${topic}` : 'Discussion';
      return (repeated || asked) && topics[from] ? `${kind}: ${capital(topics[from].surface)}` : kind;
    };
    const own = topics.map((_, from) => nameBy(from)).find((name) => !names.includes(name));
    names.push(own ?? nameBy(0));
  }
  return names;
}
