import type { MomentCategory } from '../../../sdk/wire.ts';
import { areSpeakersUncertain, type ConversationView } from '../../conversation/model.ts';
import { clock, isUnsure, timeSpan } from '../../lib/format.ts';
import { MOMENT_NAMES } from '../../lib/speaker-marks.tsx';

/** A figure of a conversation: in words, and as the least and most that it surely is. */
export interface ComparedFigure {
  name: string;
  told: (of: ConversationView) => string;
  /** Undefined where it is not sure. */
  range: (of: ConversationView) => readonly [least: number, most: number] | undefined;
  /** A difference in words, without its sign. */
  by: (difference: number) => string;
  /** Smallest difference that is worth a mark. */
  least: number;
  /** Whether it may be named as what differs most. The others follow from the length. */
  leads: boolean;
}

/** Share of the larger value from which a difference is noticeable. */
const NOTABLE_SHARE = 0.25;
const whole = (count: number): string => String(count);
const exactly = (value: number) => [value, value] as const;

/** How many moments there are, and how many of them are unsure. */
const countOf = ({ pins }: ConversationView, category: MomentCategory): { all: number; unsure: number } => {
  const own = pins.filter((pin) => pin.category === category);
  return { all: own.length, unsure: own.filter(({ confidence }) => isUnsure(confidence)).length };
};

function countWords({ all, unsure }: { all: number; unsure: number }): string {
  if (unsure === 0) return String(all);
  return unsure === all ? `${unsure} (unsure)` : `${all} (${unsure} unsure)`;
}

const LENGTH: ComparedFigure = {
  name: 'Length',
  told: ({ duration }) => clock(duration),
  range: ({ duration }) => exactly(duration),
  by: timeSpan,
  least: 10,
  leads: true,
};

/** A figure that is only as sure as the number of speakers. */
const ofSpeakers = (value: (of: ConversationView) => number) => (of: ConversationView) =>
  areSpeakersUncertain(of) ? undefined : exactly(value(of));

export const FIGURES: readonly ComparedFigure[] = [
  LENGTH,
  {
    name: 'People',
    told: ({ labels }) => String(labels.length),
    range: ofSpeakers(({ labels }) => labels.length),
    ...{ by: whole, least: 1, leads: true },
  },
  {
    name: 'Utterances',
    told: ({ lines }) => String(lines.length),
    range: ({ lines }) => exactly(lines.length),
    ...{ by: whole, least: 3, leads: false },
  },
  {
    name: 'Phases',
    told: ({ phases }) => String(phases.length),
    range: ({ phases }) => exactly(phases.length),
    ...{ by: whole, least: 2, leads: false },
  },
  {
    name: 'Silence',
    told: ({ result }) => `${Math.round(result.insights.metrics.silence_share * 100)} %`,
    range: ({ result }) => exactly(Math.round(result.insights.metrics.silence_share * 100)),
    by: (points) => `${points} percentage points`,
    ...{ least: 5, leads: true },
  },
  {
    name: 'Changes of speaker',
    told: ({ result }) => String(result.insights.metrics.speaker_switches),
    range: ofSpeakers(({ result }) => result.insights.metrics.speaker_switches),
    ...{ by: whole, least: 3, leads: false },
  },
  {
    name: 'Interactivity',
    told: ({ result }) => `${result.insights.metrics.interactivity.toFixed(1)} of 10`,
    range: ofSpeakers(({ result }) => result.insights.metrics.interactivity),
    by: (points) => points.toFixed(1),
    ...{ least: 1, leads: true },
  },
  ...(Object.keys(MOMENT_NAMES) as MomentCategory[]).map(
    (category): ComparedFigure => ({
      name: MOMENT_NAMES[category],
      told: (of) => countWords(countOf(of, category)),
      range: (of) => {
        const { all, unsure } = countOf(of, category);
        return [all - unsure, all];
      },
      ...{ by: whole, least: 2, leads: true },
    }),
  ),
];

/** A noticeable difference: which of the two is larger, by how much at least, and that as a share of the larger. */
export interface ComparedDifference {
  larger: 0 | 1;
  words: string;
  share: number;
}

/** Undefined where the figures are alike, or not sure enough to tell. */
export function differenceOf(
  figure: ComparedFigure,
  one: ConversationView,
  other: ConversationView,
): ComparedDifference | undefined {
  const ranges = [figure.range(one), figure.range(other)] as const;
  const [a, b] = ranges;
  if (!a || !b) return undefined;
  const larger = a[0] > b[1] ? 0 : 1;
  const [low, high] = larger === 0 ? [b[1], a[0]] : [a[1], b[0]];
  const by = high - low;
  if (by < figure.least || by / high < NOTABLE_SHARE) return undefined;
  const isExact = ranges.every((range) => range![0] === range![1]);
  return { larger, words: `${isExact ? '' : 'at least '}+${figure.by(by)}`, share: by / high };
}

/** The largest difference in a sentence. Numbers of moments count only where the lengths are alike. */
export function mostDifferent(one: ConversationView, other: ConversationView): string {
  const isLengthAlike = differenceOf(LENGTH, one, other) === undefined;
  const moments = new Set<string>(Object.values(MOMENT_NAMES));
  const [most] = FIGURES.flatMap((figure) => {
    const difference = differenceOf(figure, one, other);
    return figure.leads && difference && (isLengthAlike || !moments.has(figure.name)) ? { figure, difference } : [];
  }).sort((a, b) => b.difference.share - a.difference.share);
  if (!most) return 'The two hardly differ in any sure figure.';
  const { name, told } = most.figure;
  return `What differs most: ${name.charAt(0).toLowerCase()}${name.slice(1)}, ${told(one)} in the first and ${told(other)} in the second.`;
}
