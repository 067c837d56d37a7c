import type { RuleConditionInput, RuleTryResult } from '../../../sdk/wire.ts';
import { percent } from '../../lib/format.ts';
import type { HitThumbs } from './hit-scale.ts';
import { hitsIn, type TrialHit } from './RuleHits.tsx';
import { AFTER_OFFER_S, precisionOf } from './rule-draft.ts';
import { wrongHitsOf } from './wrong-hits.ts';

/** Width of the interval of a precision above which it says little. */
const MOST_SPREAD = 0.4;

/** The counts of a trial, and its precision by the judgements. */
export function Figures(p: { result: RuleTryResult; judged: readonly ('up' | 'down')[]; isTried: boolean }) {
  const { hit_count: count, unsure, matched, conversations, unknown } = p.result;
  const right = p.judged.filter((thumb) => thumb === 'up').length;
  const precision = precisionOf(right, p.judged.length);
  return (
    <dl class={p.isTried ? 'card figs' : 'card figs old'} aria-label={p.isTried ? undefined : 'Of the last trial'}>
      <div>
        <dt>Hits</dt>
        <dd class="num">{count}</dd>
        <dd>
          in {matched} of {conversations} {conversations === 1 ? 'conversation' : 'conversations'}
        </dd>
      </div>
      <div>
        <dt>Of them unsure</dt>
        <dd class="num">{unsure}</dd>
        <dd>{unsure === 0 ? 'none rests on an unsure moment' : 'they rest on unsure moments'}</dd>
      </div>
      <div>
        <dt>Right, by thumbs</dt>
        <dd class="num">{precision ? `${right} of ${p.judged.length}` : '–'}</dd>
        <dd>{precision ? rightIn(precision, count) : 'none is judged yet'}</dd>
      </div>
      <div>
        <dt>Cannot tell</dt>
        <dd class="num">{unknown}</dd>
        <dd>{unknown === 0 ? 'all could be read' : 'tone is withheld, or nobody has the role'}</dd>
      </div>
    </dl>
  );
}

/** How often a rule is right, or that this is not known yet. @param count all hits */
const rightIn = ({ share, from, to }: NonNullable<ReturnType<typeof precisionOf>>, count: number): string =>
  to - from > MOST_SPREAD
    ? `of those judged. How many of all ${count} are right is not known yet: judge more.`
    : `of those judged (${percent(share)}). Of all ${count}, probably ${percent(from)} to ${percent(to)} are right.`;

interface AfterOfferProps {
  /** The trial of the bare phrase. */
  of: RuleTryResult;
  /** Its hits that follow an offer, and the rule that keeps only them. */
  count: number;
  when: RuleConditionInput;
  /** Tries a changed rule. Absent while the conditions are others than those that were tried. */
  take: ((when: RuleConditionInput) => void) | undefined;
}

/** The number of hits that would be left if a phrase had to follow an offer. */
export const AfterOffer = ({ of, count, when, take }: AfterOfferProps) => (
  <p class="against">
    <span>
      Within {AFTER_OFFER_S} s after an offer it would keep <b class="num">{count}</b> of{' '}
      <b class="num">{of.hit_count}</b>.
    </span>
    {take && count > 0 && (
      <button type="button" class="btn sm" onClick={() => take(when)}>
        Only after an offer
      </button>
    )}
  </p>
);

/** Part of the limit of a trial from which it is told. */
const TOLD_FROM = 0.5;

export const Cost = ({ cost: { utterances, steps, limit } }: Pick<RuleTryResult, 'cost'>) => (
  <p class="muted num">
    {utterances.toLocaleString('en')} {utterances === 1 ? 'line was' : 'lines were'} searched
    {steps > TOLD_FROM * limit && `: ${Math.ceil((100 * steps) / limit)} % of what one trial may read`}.
  </p>
);

/** The hits that a changed rule has and the one that is on has not, and those that are gone, by key. */
export function changeOf(before: RuleTryResult, after: RuleTryResult): { added: Set<string>; gone: Set<string> } {
  const keys = (result: RuleTryResult): Set<string> => new Set(hitsIn(result).map(({ key }) => key));
  const [old, now] = [keys(before), keys(after)];
  return { added: now.difference(old), gone: old.difference(now) };
}

interface AgainstProps {
  change: ReturnType<typeof changeOf>;
  /** Whether only the new hits are listed. */
  isOnlyNew: boolean;
  setOnlyNew: (is: boolean) => void;
}

/** The hits that a change adds and takes away. */
export const Against = ({ change: { added, gone }, isOnlyNew, setOnlyNew }: AgainstProps) => (
  <p class="against">
    <span>
      Against the version that is on: <b class="num">+{added.size}</b> new, <b class="num">−{gone.size}</b> gone.
    </span>
    {added.size > 0 && (
      <button type="button" class="btn sm" aria-pressed={isOnlyNew} onClick={() => setOnlyNew(!isOnlyNew)}>
        Only the new ones
      </button>
    )}
  </p>
);

interface SharedProps {
  when: RuleConditionInput;
  hits: readonly TrialHit[];
  thumbs: HitThumbs;
  /** Tries a changed rule. Absent while the conditions are others than those that were tried. */
  take: ((when: RuleConditionInput) => void) | undefined;
}

/** The words that the wrong hits share, and what would leave them out. */
export function Shared({ when, hits, thumbs, take }: SharedProps) {
  const quoted = hits.map(({ utterance, matched, piece: { quote } }) => ({ utterance, matched, quote }));
  const wrong = wrongHitsOf(when, quoted, thumbs);
  if (!wrong || (wrong.shared.length === 0 && wrong.remedies.length === 0)) return null;
  const { count, shared, remedies } = wrong;
  return (
    <p class="against">
      <span>
        {shared.length === 0
          ? `None of the ${count} wrong ones is a question.`
          : `The ${count} wrong ones share ${shared.map(([words, of]) => `“${words}” (${of} of ${count})`).join(', ')}.`}
      </span>
      {take &&
        remedies.map((remedy) => (
          <button key={remedy.label} type="button" class="btn sm" onClick={() => take(remedy.when)}>
            {remedy.label}
          </button>
        ))}
    </p>
  );
}
