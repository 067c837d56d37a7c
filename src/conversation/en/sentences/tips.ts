import type { TipSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';

export const tips: TipSentences = {
  dominance: (speaker, percent) => say`${{ speaker }} did ${percent} % of the talking: let the other side talk more.`,
  monologue: (speaker, seconds) => say`${{ speaker }} spoke for ${seconds} s without a break: check in sooner.`,
  interruptions: (speaker, count) => say`${{ speaker }} interrupted ${count} times: let the other side finish.`,
  pace: (speaker, wordsPerMinute) =>
    say`${{ speaker }} spoke at ${wordsPerMinute} words a minute: slower speech is easier to follow.`,
};
