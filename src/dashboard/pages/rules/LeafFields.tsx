import type { AffectState, RuleConditionInput, RuleSentiment } from '../../../sdk/wire.ts';
import { Amount, CATEGORIES, Choices, defined, Phrases, Range, Who } from './condition-inputs.tsx';
import { Where } from './PlaceFields.tsx';

const STATES = [
  'calm',
  'content',
  'engaged',
  'enthusiastic',
  'tense',
  'frustrated',
  'anxious',
  'sad',
  'disengaged',
  'surprised',
] as const satisfies readonly AffectState[];
const SENTIMENTS = ['positive', 'negative', 'neutral', 'mixed'] as const satisfies readonly RuleSentiment[];
const WORDS = { any_form: 'any form of', exact: 'exactly', loose: 'loosely' } as const;
/** An example of what each choice finds. */
const EXAMPLES: Readonly<Record<keyof typeof WORDS, string>> = {
  any_form: '“cancel” also finds “cancelled”',
  exact: '“cancel” finds “cancel” alone',
  loose: '“too expensive” also finds “too bloody expensive”',
};

interface FieldsProps {
  condition: RuleConditionInput;
  change: (condition: RuleConditionInput) => void;
}

/** The fields of a condition that holds no others. */
export function LeafFields({ condition, change }: FieldsProps) {
  const { said, moment, transition, sentiment, silence, interruption } = condition;
  const { talk_share: share, length, language } = condition;
  if (said)
    return (
      <>
        <p class="line1">
          <Who who={said.who} set={(who) => change({ said: defined({ ...said, who }) })} /> says
          <select
            class="pill"
            aria-label="Words"
            value={said.words ?? 'any_form'}
            onChange={(e) => change({ said: { ...said, words: e.currentTarget.value as keyof typeof WORDS } })}
          >
            {Object.entries(WORDS).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
          <small class="muted">{EXAMPLES[said.words ?? 'any_form']}</small>
        </p>
        <Phrases phrases={said.phrases} set={(phrases) => change({ said: { ...said, phrases } })} name="words" />
        <Where where={said.where} set={(where) => change({ said: defined({ ...said, where }) })} />
      </>
    );
  if (moment)
    return (
      <>
        <p class="line1">
          <Who who={moment.who} set={(who) => change({ moment: defined({ ...moment, who }) })} /> has
        </p>
        <Choices
          name="Moments"
          all={CATEGORIES}
          chosen={moment.categories}
          set={(categories) => change({ moment: { ...moment, categories } })}
        />
        <p class="line1">
          at least{' '}
          <Amount
            name="Confidence, per cent"
            value={Math.round((moment.min_confidence ?? 0) * 100)}
            set={(percent) => change({ moment: { ...moment, min_confidence: percent / 100 } })}
          />{' '}
          % sure
        </p>
        <Where where={moment.where} set={(where) => change({ moment: defined({ ...moment, where }) })} />
      </>
    );
  if (transition)
    return (
      <>
        <p class="line1">
          The emotional state of{' '}
          <Who who={transition.who} set={(who) => change({ transition: defined({ ...transition, who }) })} /> changes
        </p>
        {(['from', 'to'] as const).map((end) => (
          <Choices
            key={end}
            name={end}
            all={STATES.map((state) => [state, state])}
            chosen={transition[end] ?? []}
            set={(states) =>
              change({ transition: defined({ ...transition, [end]: states.length > 0 ? states : undefined }) })
            }
          />
        ))}
        <Where where={transition.where} set={(where) => change({ transition: defined({ ...transition, where }) })} />
      </>
    );
  if (sentiment)
    return (
      <>
        <p class="line1">
          The words of <Who who={sentiment.who} set={(who) => change({ sentiment: defined({ ...sentiment, who }) })} />{' '}
          are
        </p>
        <Choices
          name="Sentiment"
          all={SENTIMENTS.map((one) => [one, one])}
          chosen={sentiment.is}
          set={(is) => change({ sentiment: { ...sentiment, is } })}
        />
        <Where where={sentiment.where} set={(where) => change({ sentiment: defined({ ...sentiment, where }) })} />
      </>
    );
  if (silence)
    return (
      <>
        <p class="line1">
          Nobody speaks for{' '}
          <Amount
            name="Seconds"
            value={silence.min_seconds}
            set={(min_seconds) => change({ silence: { ...silence, min_seconds } })}
          />{' '}
          s
        </p>
        <Where where={silence.where} set={(where) => change({ silence: defined({ ...silence, where }) })} />
      </>
    );
  if (interruption)
    return (
      <>
        <p class="line1">
          <Who who={interruption.who} set={(who) => change({ interruption: defined({ ...interruption, who }) })} />{' '}
          interrupts at least{' '}
          <Amount
            name="Times"
            value={interruption.min_count ?? 1}
            set={(min_count) => change({ interruption: { ...interruption, min_count: Math.max(1, min_count) } })}
          />{' '}
          times, for{' '}
          <Amount
            name="Seconds"
            value={interruption.min_seconds ?? 0}
            set={(min_seconds) => change({ interruption: { ...interruption, min_seconds } })}
          />{' '}
          s in all
        </p>
        <Where
          where={interruption.where}
          set={(where) => change({ interruption: defined({ ...interruption, where }) })}
        />
      </>
    );
  if (share)
    return (
      <p class="line1">
        <Who who={share.who} set={(who) => who && change({ talk_share: { ...share, who } })} isNeeded /> has{' '}
        <Range value={share} factor={100} set={(range) => change({ talk_share: { ...range, who: share.who } })} /> % of
        the speech
      </p>
    );
  if (length)
    return (
      <p class="line1">
        The recording lasts <Range value={length} factor={1} set={(range) => change({ length: range })} /> s
      </p>
    );
  if (!language) return null;
  return (
    <>
      <p class="line1">The language is</p>
      <Phrases phrases={language.is} set={(is) => change({ language: { is } })} name="language" />
    </>
  );
}
