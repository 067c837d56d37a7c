import type { OutcomeSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';
import { ended, quoted } from './grammar.ts';

export const outcomes: OutcomeSentences = {
  answerToQuestion: ({ speaker, quote, question, isChoice }) =>
    ended(say`${{ speaker }} is asked ${quoted(question)} and ${isChoice ? 'chooses' : 'answers'}: ${quoted(quote)}`),
  answerToProposal: ({ speaker, quote, proposal, isYes }) => {
    const verb = isYes ? 'agrees to' : 'turns down';
    const proposed = say`${{ speaker: proposal.speaker }}'s proposal ${quoted(proposal.quote)}`;
    return ended(say`${{ speaker }} ${verb} ${proposed}: ${quoted(quote)}`);
  },
  unresolvedObjection: ({ speaker, quote }) => ended(say`${{ speaker }}'s objection is unresolved: ${quoted(quote)}`),
  openPromise: ({ speaker, quote }) => ended(say`${{ speaker }} promised: ${quoted(quote)}`),
};
