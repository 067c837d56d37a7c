import type { PhaseSignal } from '../phases/phase-signals.ts';
import { shorten } from '../text/quotes.ts';
import { KIND_NAMES } from './phase-names.ts';

/** Words of a quoted announcement. */
const QUOTE_WORDS = 12;

const quoted = (sentence: string): string => `“${shorten(sentence, QUOTE_WORDS)}”`;

/** How a phase shows that it begins, in words. */
export function describeSignal(signal: PhaseSignal): string {
  switch (signal.by) {
    case 'announcement':
      return `${signal.speaker} announces it: ${quoted(signal.sentence)}`;
    case 'silence':
      return `a long silence, then ${signal.speaker} speaks`;
    case 'question':
      return `${signal.speaker} asks: ${quoted(signal.sentence)}`;
    case 'purpose':
      return `${signal.speaker} turns to ${KIND_NAMES[signal.kind].toLowerCase()}: ${quoted(signal.sentence)}`;
    case 'floor':
      return `${signal.to} takes the floor from ${signal.from}${signal.topic ? `, on ${signal.topic.surface}` : ''}`;
    case 'mood':
      return `the mood turns from ${signal.from} to ${signal.to}`;
    case 'topic':
      return `talk of ${signal.from.surface} gives way to ${signal.to.surface}`;
    case 'wording':
      return `${signal.speaker} goes on to something new`;
  }
}
