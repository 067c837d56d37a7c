import type { NarrativeSentences, PhaseSignalFacts } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';
import { capital, enumerate } from './grammar.ts';
import { phases, TONES } from './phases.ts';

/** How phases begin, in words that follow the number of phases. */
const BEGINNINGS: Readonly<Partial<Record<PhaseSignalFacts['by'], string>>> = {
  announcement: 'came with an announcement',
  silence: 'followed a silence',
  question: 'opened with a question',
  floor: 'brought a change of speaker',
  mood: 'brought a change of mood',
};

export const narrative: NarrativeSentences = {
  singlePhase: (topics) =>
    topics.length > 0
      ? say`One phase: the conversation stays on ${enumerate(topics)} from beginning to end.`
      : say`One phase: too little was said to divide it.`,
  division: ({ purposeChanges, topicChanges, boundaries, signals }) => {
    const topics = topicChanges.map(([from, to]) => `${from} to ${to}`).join('; ');
    const reasons = [
      ...(purposeChanges ? ['the purpose changes'] : []),
      ...(topicChanges.length > 0 ? [`the topic changes (${topics})`] : []),
    ];
    const named = reasons.length > 0 ? reasons : ['a speaker moves on to something new'];
    const where = enumerate(named.map((reason) => `where ${reason}`));
    const begun = signals.map(({ by, count }, i) => {
      if (i > 0) return `${count} ${BEGINNINGS[by]}`;
      return `${boundaries === 1 ? 'The only boundary' : `${count} of the ${boundaries} boundaries`} ${BEGINNINGS[by]}`;
    });
    return say`The conversation is divided ${where}.${begun.length > 0 ? say` ${enumerate(begun)}.` : []}`;
  },
  course: ({ names, omitted, last, phases: count }) => {
    if (names.length === 0) return say`No part of the conversation has a clear topic.`;
    if (names.length === 1)
      return count === 1
        ? say`The whole conversation is one phase: ${names[0]!}.`
        : say`Only one of the ${count} phases has a clear topic: ${names[0]!}.`;
    const all = [...names, ...(omitted > 0 ? [`${omitted} more phases`] : []), ...last];
    if (all.length === 2) return say`The conversation goes from ${all[0]!} to ${all[1]!}.`;
    return say`The conversation goes from ${all[0]!} through ${enumerate(all.slice(1, -1))} to ${all.at(-1)!}.`;
  },
  stays: ({ kind, topics, named, phases: count }) => {
    const all = count === 2 ? 'both phases' : `all ${count} phases`;
    const those = named === count ? all : `${named} of the ${count} phases`;
    if (kind === undefined) return say`${capital(topics[0]!)} is the topic of ${those}.`;
    const about = topics.length === 0 ? [] : say` (${enumerate(topics)})`;
    return say`${capital(phases.kind(kind))} takes up ${those}${about}.`;
  },
  tone: (course) => {
    switch (course.change) {
      case 'single':
        return say`The tone is ${TONES[course.tone]}.`;
      case 'none':
        return say`The tone stays ${TONES[course.tone]}.`;
      case 'little':
        return say`The tone changes little, from ${TONES[course.from]} to ${TONES[course.to]}.`;
      case 'brighter':
        return say`The tone brightens from ${TONES[course.from]} to ${TONES[course.to]}.`;
      case 'darker':
        return say`The tone darkens from ${TONES[course.from]} to ${TONES[course.to]}.`;
    }
  },
  objection: (speaker, ground) => say`${{ speaker }} objects${ground === undefined ? '' : ` (${ground})`}.`,
  ending: ({ speaker, isAccepted }) =>
    say`${{ speaker }} ${isAccepted ? 'accepts' : 'declines'} the proposal in the end.`,
};
