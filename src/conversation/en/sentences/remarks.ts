import type { Remark, RemarkSentences } from '../../sentences/sentences.ts';
import { type Spans, say, spansOf, textOf } from '../../sentences/spans.ts';
import { REPORTING_VERBS, type ReportingVerbCue } from '../lexicon/reporting-verbs.ts';
import { ended, quoted } from './grammar.ts';
import { indirectSpeech } from './indirect-speech.ts';

/** Minimum log-odds for a sentence to count as an offer. */
const OFFERS = 0.5;

/** The verb before a quote, which expresses the quote's dialogue act. */
export function reportingVerb({ quote, asks, act }: Pick<Remark, 'quote' | 'asks' | 'act'>): string {
  if (asks) return 'asks';
  const spoken = textOf(spansOf(quote));
  const byWords = (cues: readonly ReportingVerbCue[]): string | undefined =>
    cues.find(([cue, , then]) => {
      const found = cue.exec(spoken);
      return found !== null && (!then || then.test(spoken.slice(found.index + found[0].length)));
    })?.[1];
  return byWords(REPORTING_VERBS.beforeActs) ?? byAct(act()) ?? byWords(REPORTING_VERBS.others) ?? 'says';
}

function byAct({ offer, gives, commits }: ReturnType<Remark['act']>): string | undefined {
  if (offer > OFFERS) return gives ? 'offers' : 'suggests';
  return commits ? 'promises' : undefined;
}

/** A remark without its full stop. */
function reported(remark: Remark): Spans {
  const { speaker, listener, text, quote, isClear } = remark;
  const indirect = isClear ? indirectSpeech(text, { speaker, listener }) : undefined;
  return indirect ?? say`${{ speaker }} ${reportingVerb(remark)}: ${quoted(quote)}`;
}

export const remarks: RemarkSentences = {
  remark: (remark) => ended(reported(remark)),
  answered: (question, { speaker, quote }) => {
    const asked = reported(question);
    const answer = say`${{ speaker }} answers: ${quoted(quote)}.`;
    return ended(asked) === asked ? say`${asked} ${answer}` : say`${asked}; ${answer}`;
  },
  says: ({ speaker, quote }) => ended(say`${{ speaker }} says: ${quoted(quote)}`),
};
