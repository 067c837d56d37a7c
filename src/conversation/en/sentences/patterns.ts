import type { PatternSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';
import { enumerate } from './grammar.ts';

export const patterns: PatternSentences = {
  dominance: ({ speaker, percent, monologue }) =>
    say`${{ speaker }} does ${percent} % of the talking${monologue === undefined ? '' : `, ${monologue} s of it without a break`}.`,
  questions: ({ speaker, own, all }) =>
    own === all
      ? say`${{ speaker }} asks all ${own} questions.`
      : say`${{ speaker }} asks ${own} of the ${all} questions.`,
  interruptions: (speaker, count) => say`${{ speaker }} interrupts ${count} times.`,
  slowAnswers: (medians) => {
    const each = medians.map(({ speaker, seconds }) => say`${seconds} s for ${{ speaker }}`);
    return say`Answers are slow: the median delay is ${enumerate(each)}.`;
  },
  silence: (percent) => say`Nobody speaks for ${percent} % of the time.`,
  hedging: (speaker, perHundredWords) => say`${{ speaker }} hedges with ${perHundredWords} of every 100 words.`,
};
