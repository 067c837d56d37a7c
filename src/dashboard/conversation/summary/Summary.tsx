import { useState } from 'preact/hooks';
import type { Drivers } from '../../../sdk/wire.ts';
import { clock, plus } from '../../lib/format.ts';
import { Dots, isMarked } from '../../lib/quality.tsx';
import { Confidence, Glyph } from '../../lib/speaker-marks.tsx';
import { claimsOf, lineAt, overviewByGoal, type SummaryClaim } from '../model.ts';
import type { PageState } from '../state.ts';
import { CommentList } from './Comments.tsx';
import { Moments } from './Moments.tsx';
import { Promises } from './Promises.tsx';
import { ClaimLine, Evidence, highlightEvidence, Prose } from './Prose.tsx';
import { ShowAll } from './ShowAll.tsx';

const SOURCES = {
  built_in: 'picked from the conversation',
  language_model: 'language model, checked',
  built_in_fallback: 'built-in, after the language model failed',
} as const;
const LINKED = 'Each line links to its evidence';
const MOST_SHIFTS = 8;
/** Words for a fall and a rise of each measure. */
const SHIFTED: Readonly<Record<keyof Drivers, readonly [fell: string, rose: string]>> = {
  valence_drop: ['more negative', 'more positive'],
  valence_rise: ['more negative', 'more positive'],
  arousal_drop: ['calmer', 'livelier'],
  arousal_rise: ['calmer', 'livelier'],
  engagement_delta: ['less engaged', 'more engaged'],
};

/** The first column: summary, quality, moments and tone shifts. Each line links to the seconds that support it. */
export function Summary({ page }: { page: PageState }) {
  const { conversation } = page;
  const { summary, insights, goal } = conversation.result;
  const patterns: SummaryClaim[] = [
    ...claimsOf(conversation, summary.notable_patterns),
    ...(insights.cognitive_profile?.hotspots ?? []).map((spot) => ({
      text: spot.description,
      isOfSummary: false,
      lines: [Math.max(0, lineAt(conversation.lines, spot.t))],
    })),
    ...(insights.cognitive_profile?.tips ?? []).map((text) => ({ text, isOfSummary: false, lines: [] })),
  ];
  const { before, onGoal, after } = overviewByGoal(conversation);
  const isOpenUnsaid = summary.answer === null && onGoal.length === 0;
  return (
    <section class="col summary" aria-label="Summary" tabIndex={-1}>
      <section>
        <h2 class="sec">
          Summary
          <span
            class="chip"
            title={summary.source === 'built_in' ? `Written without a language model. ${LINKED}` : LINKED}
          >
            {SOURCES[summary.source]}
          </span>
        </h2>
        <ClaimLines page={page} claims={before} />
        {goal && (
          <div class="asked">
            <p>
              {goal} {isOpenUnsaid && <span class="muted t-lab">not clearly answered</span>}
            </p>
            <ClaimLines page={page} claims={onGoal} />
          </div>
        )}
        <ClaimLines page={page} claims={after} />
      </section>
      {isMarked(summary.conversation_quality) && (
        <section>
          <h2 class="sec">How it went</h2>
          <div class="qual">
            <b>{summary.conversation_quality}</b>
            <Dots quality={summary.conversation_quality} />
            <span class="tx">
              {claimsOf(conversation, summary.quality_reasons).map((claim, i) => (
                <span key={claim.text}>
                  {i > 0 && '. '}
                  <Prose page={page} text={claim.text} isCapital />
                  {claim.lines.length > 0 && ' '}
                  <Evidence page={page} lines={claim.lines} />
                </span>
              ))}
            </span>
          </div>
        </section>
      )}
      <CommentList page={page} />
      <Claims page={page} title="Next steps" claims={claimsOf(conversation, summary.recommendations)} />
      <Moments page={page} />
      <Promises page={page} />
      <Claims page={page} title="What went well" claims={claimsOf(conversation, summary.what_went_well)} />
      <Claims page={page} title="What went wrong" claims={claimsOf(conversation, summary.what_went_wrong)} />
      <Shifts page={page} />
      <Claims page={page} title="Key lines" claims={claimsOf(conversation, summary.key_insights)} />
      <Claims page={page} title="Patterns and tips" claims={patterns} />
    </section>
  );
}

function Claims({ page, title, claims }: { page: PageState; title: string; claims: readonly SummaryClaim[] }) {
  if (claims.length === 0) return null;
  return (
    <section>
      <h2 class="sec">{title}</h2>
      <ClaimLines page={page} claims={claims} />
    </section>
  );
}

const ClaimLines = ({ page, claims }: { page: PageState; claims: readonly SummaryClaim[] }) => (
  <>
    {claims.map((claim, i) => (
      <ClaimLine key={i} page={page} claim={claim} />
    ))}
  </>
);

/** A shift of tone in words, the largest change first. */
const wordsOf = (drivers: Drivers): string =>
  Object.entries(drivers)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .map(([name, by]) => SHIFTED[name as keyof Drivers][by > 0 ? 1 : 0])
    .join(', ');

/** The same in numbers: "valence +0.11, arousal −0.14 (on scales from 0 to 1)". */
const measuresOf = (drivers: Drivers): string =>
  `${Object.entries(drivers)
    .map(([name, by]) => `${name.replace(/_(drop|rise|delta)/, '')} ${plus(by)}`)
    .join(', ')} (on scales from 0 to 1)`;

function Shifts({ page }: { page: PageState }) {
  const { names } = page.conversation;
  const [isWhole, showAll] = useState(false);
  const shifts = page.conversation.shifts.filter(
    ({ speaker }) => speaker === undefined || !page.hidden.value.has(speaker),
  );
  if (shifts.length === 0) return null;
  const shown = isWhole ? shifts : shifts.slice(0, MOST_SHIFTS);
  return (
    <section>
      <h2 class="sec">
        Shifts of tone <span class="num muted">{shifts.length}</span>
      </h2>
      {shown.map(({ source, at, speaker, lines }) => (
        <button
          type="button"
          class="mrow"
          key={source.transition_id}
          onClick={(e) => {
            page.tab.value = 'transcript';
            page.hear(at, e);
          }}
          {...highlightEvidence(page, lines)}
        >
          <Glyph kind="shift" size={15} />
          <span>
            <span class="tp1">
              {source.from_state} to {source.to_state}
            </span>{' '}
            <bdi class="muted">{speaker === undefined ? 'the conversation as a whole' : names[speaker]}</bdi>
          </span>
          <span class="tt">{clock(at)}</span>
          <span class="q1 t-lab" title={measuresOf(source.drivers)}>
            {wordsOf(source.drivers)} <Confidence value={source.confidence} />
          </span>
        </button>
      ))}
      {shown.length < shifts.length && (
        <ShowAll count={shifts.length} shown={shown.length} show={() => showAll(true)} />
      )}
    </section>
  );
}
