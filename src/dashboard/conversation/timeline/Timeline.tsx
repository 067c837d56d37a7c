import { type ReadonlySignal, signal, useComputed, useSignal } from '@preact/signals';
import type { PageState } from '../state.ts';
import { BarKey } from '../transcript/BarKey.tsx';
import { Busiest } from './Busiest.tsx';
import { Gutter, ManyKey, PhoneKey, SignKey } from './Gutter.tsx';
import { rowsOf, scaleOf, type TimelineRows } from './geometry.ts';
import { PhaseList } from './Pins.tsx';
import { Plot } from './Plot.tsx';
import { modeOf, type Picture } from './picture.ts';

const phone = matchMedia('(max-width: 760px)');
export const isPhone = signal(phone.matches);
phone.addEventListener('change', () => {
  isPhone.value = phone.matches;
});

/** The conversation on one axis: phases, moments, who speaks when, and tone. */
export function Timeline({ page, openMenu }: { page: PageState; openMenu: (speaker: number, at: DOMRect) => void }) {
  const width = useSignal(0);
  const { conversation } = page;
  const rows: ReadonlySignal<TimelineRows> = useComputed(() =>
    rowsOf(
      conversation.labels.length,
      isPhone.value,
      conversation.lines.some((line) => line.tone),
    ),
  );
  const picture = useComputed<Picture>(() => {
    const view = page.view.value;
    const mode = modeOf(conversation, view, width.value, page.solo.value);
    return {
      conversation,
      levels: page.levels.value,
      rows: rows.value,
      view,
      width: width.value,
      mode,
      scale: scaleOf(view, width.value, rows.value, mode, conversation.duration),
      solo: page.solo.value,
      shown: page.shown.value,
      hidden: page.hidden.value,
    };
  });
  return (
    <section class="timeline" aria-label="The conversation over time">
      <Gutter page={page} rows={rows.value} picture={picture} openMenu={openMenu} />
      <Plot page={page} rows={rows.value} picture={picture} width={width} />
      <div class="below">
        {!isPhone.value && (
          <>
            <SignKey picture={picture} />
            <ManyKey picture={picture} />
          </>
        )}
        <Busiest page={page} />
      </div>
      {isPhone.value && (
        <>
          <PhaseList page={page} picture={picture} />
          <details class="keys1">
            <summary>Key</summary>
            <SignKey picture={picture} />
            <PhoneKey rows={rows.value} picture={picture} />
            <BarKey page={page} />
          </details>
        </>
      )}
    </section>
  );
}
