import { effect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { clock, isUnsure, shortened } from '../../lib/format.ts';
import { Confidence, Glyph, isAnswerable, MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import type { MomentPin } from '../model.ts';
import type { PageState } from '../state.ts';
import { ThumbButtons } from '../ThumbButtons.tsx';
import { groupsOf, MOST_UNGROUPED, type MomentGroup } from './moment-groups.ts';
import { highlightEvidence } from './Prose.tsx';
import { ShowAll } from './ShowAll.tsx';

/** Number of a kind's moments that are listed at first. */
const FIRST_OF_KIND = 12;

/** The moments in order of time or, where there are many, by kind. */
export function Moments({ page }: { page: PageState }) {
  const { pins } = page.conversation;
  const groups = useMemo(() => (pins.length > MOST_UNGROUPED ? groupsOf(pins) : undefined), [pins]);
  return (
    <section>
      <h2 class="sec">
        Moments <span class="num muted">{pins.length}</span>
      </h2>
      {pins.length === 0 && <p class="t-lab muted none">No moments were found.</p>}
      {groups
        ? groups.map((group) => <Group key={group.category} page={page} group={group} />)
        : pins.filter(({ offer }) => !offer).map((pin) => <Entry key={pin.moment.moment_id} page={page} pin={pin} />)}
    </section>
  );
}

function Group({ page, group }: { page: PageState; group: MomentGroup }) {
  const { category, sure, unsure, answers } = group;
  return (
    <div class="mkind">
      <h3>
        <Glyph kind={category} size={15} isUnsure={sure.length === 0} />
        {MOMENT_NAMES[category]} <span class="num muted">{sure.length + unsure.length}</span>{' '}
        {answers > 0 && (
          <span class="num muted">
            with {answers} {answers === 1 ? 'answer' : 'answers'}
          </span>
        )}
      </h3>
      <Entries page={page} pins={sure} />
      {unsure.length > 0 && <Unsure page={page} pins={unsure} />}
    </div>
  );
}

/** Unsure moments, folded until they are asked for or one of them is chosen elsewhere. */
function Unsure({ page, pins }: { page: PageState; pins: readonly MomentPin[] }) {
  const fold = useRef<HTMLDetailsElement>(null);
  const chosen = useChosen(page, pins);
  useLayoutEffect(() => {
    if (chosen) fold.current!.open = true;
  }, [chosen]);
  return (
    <details ref={fold}>
      <summary>{pins.length} unsure</summary>
      <Entries page={page} pins={pins} />
    </details>
  );
}

function Entries({ page, pins }: { page: PageState; pins: readonly MomentPin[] }) {
  const [isWhole, showAll] = useState(pins.length <= FIRST_OF_KIND);
  const rest = useMemo(() => pins.slice(FIRST_OF_KIND), [pins]);
  const chosen = useChosen(page, rest);
  useEffect(() => {
    if (chosen) showAll(true);
  }, [chosen]);
  const shown = isWhole ? pins : pins.slice(0, FIRST_OF_KIND);
  return (
    <>
      {shown.map((pin) => (
        <Entry key={pin.moment.moment_id} page={page} pin={pin} isGrouped />
      ))}
      {shown.length < pins.length && <ShowAll count={pins.length} shown={shown.length} show={() => showAll(true)} />}
    </>
  );
}

/** A moment with its answers. */
function Entry({ page, pin, isGrouped = false }: { page: PageState; pin: MomentPin; isGrouped?: boolean }) {
  return (
    <div>
      <MomentRow page={page} pin={pin} isGrouped={isGrouped} />
      {pin.answers.map((answer) => (
        <MomentRow key={answer.moment.moment_id} page={page} pin={answer} />
      ))}
      {isAnswerable(pin.category) && pin.answers.length === 0 && <p class="open1">No answer found.</p>}
    </div>
  );
}

/** @param p.isGrouped whether the kind is above the row, and only screen readers need it again */
function MomentRow({ page, pin, isGrouped = false }: { page: PageState; pin: MomentPin; isGrouped?: boolean }) {
  const row = useRef<HTMLDivElement>(null);
  const alone = useMemo(() => [pin], [pin]);
  const isChosen = useChosen(page, alone) === pin;
  useEffect(() => {
    if (isChosen) row.current!.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <div ref={row} class={`mrow1 ${pin.offer ? 'ans' : ''}`}>
      <button
        type="button"
        class="mrow"
        aria-current={isChosen || undefined}
        onClick={(e) => {
          page.tab.value = 'transcript';
          page.hearSign(pin, e);
        }}
        {...highlightEvidence(page, [pin.line])}
      >
        <Glyph kind={pin.category} size={15} isUnsure={isUnsure(pin.moment.confidence)} />
        <span class="ell">
          <span class={isGrouped ? 'vh' : 'tp1'}>{MOMENT_NAMES[pin.category]}</span>{' '}
          <span class={isGrouped ? '' : 'muted'}>
            {[...pin.moment.labels, page.conversation.names[pin.speaker]].join(', ')}
          </span>
        </span>
        <span class="tt">{clock(pin.at)}</span>
        <span class="q1">
          “{shortened(pin.quote, 96)}” <Confidence value={pin.moment.confidence} />
        </span>
      </button>
      <ThumbButtons
        page={page}
        kind="moment"
        on={pin.moment.moment_id}
        what={`${MOMENT_NAMES[pin.category]} at ${clock(pin.at)}`}
      />
    </div>
  );
}

/** The chosen moment, if it is one of these or answers one of them. Only then does a choice render anything again. */
function useChosen(page: PageState, pins: readonly MomentPin[]): MomentPin | undefined {
  const [chosen, setChosen] = useState<MomentPin | undefined>(undefined);
  useEffect(() => {
    const own = new Set(pins.flatMap((pin) => [pin, ...pin.answers]));
    return effect(() => {
      const pin = page.moment.value;
      setChosen(pin && own.has(pin) ? pin : undefined);
    });
  }, [page, pins]);
  return chosen;
}
