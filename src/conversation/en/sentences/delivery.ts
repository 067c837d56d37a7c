import type {
  DeliveryDifference,
  DeliverySentences,
  DescribedDelivery,
  FinalGlide,
  SpokenPauses,
} from '../../sentences/delivery.ts';
import { deviations, percent, silence, wordingFor } from '../../sentences/wording.ts';
import { capital } from './grammar.ts';

const COMPARATIVES = {
  loudness: ['louder', 'quieter'],
  pitch: ['higher', 'lower'],
  pace: ['faster', 'slower'],
} as const;

const comparative = ({ measure, z, isStrong }: DeliveryDifference): string =>
  `${isStrong ? 'much ' : ''}${COMPARATIVES[measure][z > 0 ? 0 : 1]}`;

/** 'a', 'a and b', 'a, b and c'. */
const enumerated = (parts: string[]): string =>
  parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;

const together = (parts: string[]): string => parts.filter((part) => part !== '').join(', ');

function pausing(pauses: SpokenPauses | null, variant: number): string {
  if (pauses === null) return '';
  const { count, meanMs, ratio } = pauses;
  return count === 1
    ? `with one pause of ${meanMs.toFixed(0)} ms`
    : wordingFor(variant, [
        `broken by ${count} pauses of ${meanMs.toFixed(0)} ms on average`,
        `with ${count} pauses that take ${percent(ratio)} of the time`,
      ]);
}

function ending(glide: FinalGlide | null): string {
  if (glide === null) return '';
  const st = glide.semitones.toFixed(1);
  return glide.direction === 'rising'
    ? `ending on a rise of ${st} semitones`
    : `closing with a fall of ${st} semitones`;
}

function description({ differences, pitchHz, syllablesPerSecond, pauses, glide, variant }: DescribedDelivery): string {
  const rest = [pausing(pauses, variant), ending(glide)];
  if (differences === null) {
    const first = `Pitch about ${pitchHz.toFixed(0)} Hz, ${syllablesPerSecond.toFixed(1)} syllables a second`;
    return `${together([first, ...rest])}; nothing yet to compare this speaker with.`;
  }
  if (differences.length === 0 && pauses === null && glide === null)
    return wordingFor(variant, [
      'An even delivery, as usual for this speaker.',
      'Spoken in the usual way; nothing stands out.',
      'Close to how this speaker normally talks.',
    ]);
  const how = enumerated(differences.map((difference) => `${comparative(difference)} (${deviations(difference.z)})`));
  const start =
    how === ''
      ? wordingFor(variant, ['Spoken as usual', 'In the usual voice', 'Pitch, loudness and pace as usual'])
      : wordingFor(variant, [
          `${capital(how)} than usual for this speaker`,
          `${capital(how)} than this speaker otherwise talks`,
          `This time ${how}`,
        ]);
  return `${together([start, ...rest])}.`;
}

export const DELIVERY: DeliverySentences = {
  unjudged(reason) {
    if (reason.kind === 'voiceless') return 'No voice could be made out';
    if (reason.kind === 'noisy') return 'The voice drowns in noise';
    return `Too short to judge, ${reason.seconds.toFixed(1)} s`;
  },
  description,
  insight(insight) {
    switch (insight.kind) {
      case 'difference':
        return `${comparative(insight)} than usual by ${deviations(insight.z)}`;
      case 'pauses':
        return `pauses take ${percent(insight.ratio)} of the utterance`;
      case 'glide':
        return `${insight.direction === 'rising' ? 'rises' : 'falls'} by ${insight.semitones.toFixed(1)} semitones at the end`;
      case 'late':
        return `began after ${silence(insight.silenceMs)} of silence`;
    }
  },
  hesitation(hesitation) {
    switch (hesitation.kind) {
      case 'late':
        return `started after ${silence(hesitation.silenceMs)} of silence`;
      case 'pauses':
        return hesitation.count === 1
          ? `one pause of ${hesitation.meanMs.toFixed(0)} ms`
          : `${hesitation.count} pauses, ${hesitation.meanMs.toFixed(0)} ms on average`;
      case 'disfluency':
        return `fillers, repeats or repairs in ${percent(hesitation.share)} of the words`;
      case 'self-repair':
        return 'corrects itself in mid-sentence';
    }
  },
};
