import type { QualitySentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Reasons, shown to readers as a list. */
export const quality: QualitySentences = {
  accepted: (count) => say`${counted(count, 'proposal')} accepted`,
  declined: (count) => say`${counted(count, 'proposal')} declined`,
  unresolved: (count) => say`${counted(count, 'objection')} unresolved`,
  sentimentChange: (first, last) =>
    say`sentiment ${last > first ? 'rises' : 'falls'} from ${first} in the first third to ${last} in the last`,
  meanSentiment: (polarity) => say`mean sentiment ${polarity}`,
  interruptions: (count) => say`${count} interruptions`,
  praise: () => say`praise was spoken`,
  complaint: () => say`a complaint was spoken`,
};
