import type { ToneName } from '../../affect/tone.ts';
import type { PhaseKind } from '../../lexicon/phase-kinds.ts';
import type { PhaseSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';
import { capital, quoted } from './grammar.ts';

const KINDS: Readonly<Record<PhaseKind, string>> = {
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

/** The name of a phase without a clear purpose whose words name no topic surely. */
export const UNNAMED = 'No clear topic';

/** Tones, as adjectives. */
export const TONES: Readonly<Record<ToneName, string>> = {
  dejected: 'dejected',
  subdued: 'subdued',
  calm: 'calm',
  relaxed: 'relaxed',
  content: 'content',
  unhappy: 'unhappy',
  'slightly negative': 'slightly negative',
  neutral: 'neutral',
  friendly: 'friendly',
  warm: 'warm',
  heated: 'heated',
  tense: 'tense',
  animated: 'animated',
  upbeat: 'upbeat',
  enthusiastic: 'enthusiastic',
  'not measured': 'not measured',
};

/** The theme of a phase in which no word stands out as a topic. */
export const NO_TOPIC = 'no topic of its own';

export const phases: PhaseSentences = {
  name: ({ kind, topic }) => {
    if (topic === undefined) return say`${kind ? KINDS[kind] : UNNAMED}`;
    return kind ? say`${KINDS[kind]}: ${capital(topic)}` : say`${capital(topic)}`;
  },
  kind: (kind) => KINDS[kind].toLowerCase(),
  theme: (topics) => say`${topics.length > 0 ? topics.join(', ') : NO_TOPIC}`,
  tone: (name) => TONES[name],
  noWords: () => say`No words were recognised here.`,
  stateChange: ({ speaker, from, to }) =>
    say`${speaker === undefined ? 'The conversation' : { speaker }} goes from ${from} to ${to}`,
  signal: (signal) => {
    switch (signal.by) {
      case 'announcement':
        return say`${{ speaker: signal.speaker }} announces it: ${quoted(signal.quote)}`;
      case 'silence':
        return say`${{ speaker: signal.speaker }} speaks after a long silence`;
      case 'question':
        return say`${{ speaker: signal.speaker }} asks: ${quoted(signal.quote)}`;
      case 'purpose':
        return say`${{ speaker: signal.speaker }} turns to ${phases.kind(signal.kind)}: ${quoted(signal.quote)}`;
      case 'floor': {
        const about = signal.topic === undefined ? '' : `, talking about ${signal.topic}`;
        return say`${{ speaker: signal.to }} takes the floor from ${{ speaker: signal.from }}${about}`;
      }
      case 'mood':
        return say`the mood changes from ${TONES[signal.from]} to ${TONES[signal.to]}`;
      case 'topic':
        return say`the topic changes from ${signal.from} to ${signal.to}`;
      case 'wording':
        return say`${{ speaker: signal.speaker }} moves on to something new`;
    }
  },
};
