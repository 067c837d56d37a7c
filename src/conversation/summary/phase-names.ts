import type { PhaseKind } from '../lexicon/phase-kinds.ts';
import type { Phase, TalkManner } from '../phases/phases.ts';

/** What phases of a kind are called. */
export const KIND_NAMES: Readonly<Record<PhaseKind, string>> = {
  opening: 'Opening',
  introductions: 'Introductions',
  closing: 'Closing',
  small_talk: 'Small Talk',
  request: 'Request',
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

/** With a capital at its head, as a title has. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

const MANNER_NAMES: Readonly<Record<TalkManner, string>> = {
  account: 'Account',
  questions: 'Questions',
  discussion: 'Discussion',
};

/** What a phase is called: by its purpose, else by what is done there, and by the topic that tells it apart. */
export function nameOf({ kind, manner, topic }: Pick<Phase, 'kind' | 'manner' | 'topic'>): string {
  const name = kind ? KIND_NAMES[kind] : MANNER_NAMES[manner];
  return topic === undefined ? name : `${name}: ${capital(topic)}`;
}
