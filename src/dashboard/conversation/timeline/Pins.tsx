import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals';
import { useRef, useState } from 'preact/hooks';
import { Dialog } from '../../lib/dialog.tsx';
import { clamp, clock, unsurePart } from '../../lib/format.ts';
import { memo } from '../../lib/memo.ts';
import { Nth } from '../../lib/Nth.tsx';
import { Confidence } from '../../lib/speaker-marks.tsx';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { type ConversationView, NAMELESS, type Pin, phaseWords, type ShownPhase } from '../model.ts';
import { isUnsurePin, PromiseTip, promiseWithTime, SIGN_NAMES, SignGlyph, type SignKind } from '../signs.tsx';
import type { PageState } from '../state.ts';
import type { MomentBin, Sign } from './geometry.ts';
import { type Picture, shownPins } from './picture.ts';

/** Phases and moments as elements on top of the picture. A single handler serves all of them. */

interface RowProps {
  page: PageState;
  picture: ReadonlySignal<Picture>;
}

/** The index of the button that an event came from. */
function numberOf(e: Event): number | undefined {
  const button = (e.target as Element).closest<HTMLElement>('[data-n]');
  return button ? Number(button.dataset.n) : undefined;
}

/** Width below which phases are not drawn, and width from which a name may be cut, px. */
export const FIELD_PX = 4;
const CUT_PX = 96;
/** Width of a letter of a name, and of the space around it with the number, px. */
const LETTER_PX = 6.2;
const AROUND_PX = 32;
/** Width of a digit of a number, and of the frame around it, px. */
const DIGIT_PX = 6;
const FRAME_PX = 12;

/** Number of letters of a name that a field has room for. */
export const roomFor = (width: number): number => Math.floor((width - AROUND_PX) / LETTER_PX);
const isRoomFor = (width: number, name: string): boolean => name.length <= roomFor(width);

/** The text that a field has room for beside its number: the name of its phase, only the purpose, or nothing. */
export function nameIn(width: number, name: string): string {
  const fits = (text: string): boolean => isRoomFor(width, text);
  const purpose = name.split(': ', 1)[0]!;
  return fits(name) ? name : fits(purpose) && purpose !== name ? `${purpose}…` : width >= CUT_PX ? name : '';
}

/** The index of the phase that plays. */
const usePhaseNow = ({ conversation: { phases }, player }: PageState): ReadonlySignal<number> =>
  useComputed(() => phases.findLastIndex((phase) => phase.start <= player.time.value + 0.01));

export function PhaseRow({ page, picture }: RowProps) {
  const { phases } = page.conversation;
  const row = useRef<HTMLDivElement>(null);
  const now = usePhaseNow(page);
  // Positions that change with every zoom are set directly, because there may be many.
  useSignalEffect(() => {
    const { scale, width } = picture.value;
    const current = now.value;
    row.current?.querySelectorAll<HTMLElement>('.ph').forEach((button, i) => {
      const x0 = Math.max(0, i === 0 ? 0 : scale.x(phases[i]!.start));
      const next = phases[i + 1];
      const x1 = Math.min(width, next ? scale.x(next.start) : width);
      button.hidden = x1 - x0 < FIELD_PX;
      button.classList.toggle('on', current === i);
      if (button.hidden) return;
      button.style.left = `${x0}px`;
      button.style.width = `${x1 - x0}px`;
      const [number, text] = button.children as unknown as [HTMLElement, HTMLElement];
      const digits = DIGIT_PX * String(i + 1).length;
      number.hidden = x1 - x0 < digits;
      button.classList.toggle('bare', x1 - x0 < digits + FRAME_PX);
      const name = nameIn(x1 - x0, phases[i]!.name);
      button.classList.toggle('slim', name === '');
      if (text.textContent !== name) text.textContent = name;
    });
  });
  const phaseOf = (e: Event): ShownPhase | undefined => phases[numberOf(e) ?? -1];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles the events of the buttons in it
    <div
      ref={row}
      onClick={(e) => {
        const phase = phaseOf(e);
        if (phase) page.hear(phase.start, e);
      }}
      onPointerMove={(e) => {
        const phase = phaseOf(e);
        if (phase) showTip(<PhaseTip phase={phase} />, e.clientX, e.clientY);
      }}
      onPointerLeave={hideTip}
    >
      {phases.map((phase, i) => (
        <button
          type="button"
          key={phase.source.phase_id}
          data-n={i}
          class="ph"
          tabIndex={-1}
          aria-label={`${phaseWords(phase)}, ${clock(phase.start)} to ${clock(phase.end)}`}
        >
          <Nth of={phase.nth} /> <bdi />
        </button>
      ))}
    </div>
  );
}

/** The phases of a timeline in which not every name fits: two lines and the rest to scroll, for a phone. */
export function PhaseList({ page, picture }: RowProps) {
  const { phases, duration } = page.conversation;
  // As long as nothing is zoomed, so that the list does not come and go while somebody zooms.
  const areNamed = useComputed(() =>
    phases.every(({ name, start }, i) =>
      isRoomFor((((phases[i + 1]?.start ?? duration) - start) / duration) * picture.value.width, name),
    ),
  );
  const list = useRef<HTMLOListElement>(null);
  const now = usePhaseNow(page);
  useSignalEffect(() => {
    const current = list.current?.children[now.value] as HTMLElement | undefined;
    list.current?.scrollTo({ top: current?.offsetTop ?? 0 });
  });
  if (phases.length < 2 || areNamed.value) return null;
  return (
    <ol class="phl" aria-label="Phases" ref={list}>
      {phases.map((phase, i) => (
        <li key={phase.source.phase_id}>
          <button
            type="button"
            aria-current={now.value === i ? 'true' : undefined}
            aria-label={
              phase.name === ''
                ? `${phaseWords(phase)} ${NAMELESS}, ${clock(phase.start)}`
                : `${phaseWords(phase)}, from ${clock(phase.start)}`
            }
            onClick={(e) => page.hear(phase.start, e)}
          >
            <Nth of={phase.nth} />{' '}
            {phase.name === '' ? (
              <span class="muted">
                {NAMELESS}, {clock(phase.start)}
              </span>
            ) : (
              <bdi>{phase.name}</bdi>
            )}
          </button>
        </li>
      ))}
    </ol>
  );
}

function PhaseTip({ phase }: { phase: ShownPhase }) {
  const { emotional_tone: tone, transition_signal: signalled } = phase.source;
  return (
    <>
      <b>{phaseWords(phase)}</b>{' '}
      <span class="num">
        {clock(phase.start)} to {clock(phase.end)}
      </span>
      <br />
      {phase.theme !== '' && (
        <>
          {phase.theme}
          <br />
        </>
      )}
      <span class="muted">{[tone, signalled].filter(Boolean).join('. ')}</span>
    </>
  );
}

interface Pinned {
  pin: Pin;
  x: number;
}

export function PinRow({ page, picture }: RowProps) {
  const shown = shownPins(picture.value);
  return shown.bins ? (
    <BinRow page={page} bins={shown.bins} />
  ) : (
    <SignRow page={page} groups={shown.signs} isPhone={picture.value.rows.isPhone} />
  );
}

/** The moments of each interval as a number over a bar, which zooms in. */
function BinRow({ page, bins }: { page: PageState; bins: readonly MomentBin<Pin>[] }) {
  const most = Math.max(...bins.map(({ items }) => items.length));
  const binOf = (e: Event): MomentBin<Pin> | undefined => bins[numberOf(e) ?? -1];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles the events of the buttons in it
    <div
      onClick={(e) => {
        const bin = binOf(e);
        if (bin) showOnly(page, bin.from, bin.to);
      }}
      onPointerMove={(e) => {
        const bin = binOf(e);
        if (bin) showTip(<CountedTip of={bin} />, e.clientX, e.clientY, 'above');
      }}
      onPointerLeave={hideTip}
    >
      {bins.map(({ from, to, x, width, items }, n) => (
        <button
          key={from}
          type="button"
          data-n={n}
          class="mo bin"
          tabIndex={-1}
          style={`left:${x.toFixed(1)}px;width:${width.toFixed(1)}px`}
          aria-label={`${countedWords(items)}, ${clock(from)} to ${clock(to)}`}
        >
          <span>{items.length}</span>
          <i style={`height:${((items.length / most) * BAR_PX).toFixed(1)}px`} />
        </button>
      ))}
    </div>
  );
}

/** Height of the bar of the interval with the most moments, px. */
const BAR_PX = 10;

/** Moments that share a sign, and the time they cover, s. */
type Counted = Pick<MomentBin<Pin>, 'from' | 'to' | 'items'>;

/** "3 moments (1 unsure)", "2 moments, all unsure", "1 moment and 1 promise". */
function countedWords(items: readonly Pin[]): string {
  const promises = items.filter(({ category }) => category === 'promise');
  const moments = items.filter(({ category }) => category !== 'promise');
  const counted = (of: readonly Pin[], word: string): string =>
    `${of.length} ${word}${of.length === 1 ? '' : 's'}${unsurePart(of.length, of.filter(isUnsurePin).length)}`;
  return [moments.length > 0 && counted(moments, 'moment'), promises.length > 0 && counted(promises, 'promise')]
    .filter(Boolean)
    .join(' and ');
}

/** "Offer 2, Accepted 1". */
const kindWords = (items: readonly Pin[]): string =>
  [...Map.groupBy(items, ({ category }) => category)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([kind, all]) => `${SIGN_NAMES[kind]} ${all.length}`)
    .join(', ');

function CountedTip({ of: { from, to, items } }: { of: Counted }) {
  return (
    <>
      <b>{countedWords(items)}</b>{' '}
      <span class="num">
        {clock(from)} to {clock(to)}
      </span>
      <br />
      {kindWords(items)}
      <br />
      <span class="muted">Click to zoom in</span>
    </>
  );
}

function SignRow({ page, groups, isPhone }: { page: PageState; groups: readonly Sign<Pinned>[]; isPhone: boolean }) {
  const { conversation } = page;
  const [listed, list] = useState<readonly Pinned[] | undefined>(undefined);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles the events of the buttons in it
    <div
      onClick={(e) => {
        const group = groups[numberOf(e) ?? -1]?.items;
        if (!group) return;
        hideTip();
        if (group.length === 1) page.hearSign(group[0]!.pin, e);
        // A finger has no tip that says what a number stands for.
        else if (isPhone) list(group);
        else zoomTo(page, group);
      }}
      onPointerMove={(e) => {
        const pins = groups[numberOf(e) ?? -1]?.items.map(({ pin }) => pin);
        if (!pins) return;
        const [first, last] = [pins[0]!, pins.at(-1)!];
        const told =
          first === last ? (
            <PinTip pin={first} conversation={conversation} />
          ) : (
            <CountedTip of={{ from: first.at, to: last.at, items: pins }} />
          );
        showTip(told, e.clientX, e.clientY, 'above');
      }}
      onPointerLeave={hideTip}
    >
      {groups.map(({ items, x }, n) => (
        <PinButton
          key={n}
          n={n}
          pins={items.map(({ pin }) => pin)}
          left={Math.round(x * 10) / 10}
          conversation={conversation}
        />
      ))}
      {listed && <PinList page={page} group={listed} close={() => list(undefined)} />}
    </div>
  );
}

/** The moments that share a sign, with their kinds and times. */
function PinList({ page, group, close }: { page: PageState; group: readonly Pinned[]; close: () => void }) {
  const { names } = page.conversation;
  return (
    <Dialog title={countedWords(group.map(({ pin }) => pin))} close={close}>
      <ul class="pins1">
        {group.map(({ pin }) => (
          <li key={pin.id}>
            <button
              type="button"
              class="mrow"
              onClick={(e) => {
                close();
                page.hearSign(pin, e);
              }}
            >
              <SignGlyph kind={pin.category} size={15} isUnsure={isUnsurePin(pin)} />
              <span>
                <span class="tp1">{SIGN_NAMES[pin.category]}</span> <bdi class="muted">{names[pin.speaker]}</bdi>
              </span>
              <span class="tt">{clock(pin.at)}</span>
            </button>
          </li>
        ))}
      </ul>
      <button
        type="button"
        class="btn sm"
        onClick={() => {
          close();
          zoomTo(page, group);
        }}
      >
        Zoom in
      </button>
    </Dialog>
  );
}

/** Zooms in on several pins. */
function zoomTo(page: PageState, group: readonly Pinned[]): void {
  const { pin } = group[0]!;
  const last = group.at(-1)!.pin;
  const half = Math.max(20, (last.at - pin.at) * 1.6) / 2;
  showOnly(page, (pin.at + last.at) / 2 - half, (pin.at + last.at) / 2 + half);
}

/** Zooms to a period, as far as it lies within the conversation. */
function showOnly(page: PageState, from: number, to: number): void {
  const { duration } = page.conversation;
  const span = Math.min(duration, to - from);
  const start = clamp(from, 0, duration - span);
  page.view.value = { from: start, to: start + span };
}

function PinButton({
  n,
  pins,
  left,
  conversation,
}: {
  n: number;
  pins: readonly Pin[];
  left: number;
  conversation: ConversationView;
}) {
  const { category } = pins[0]!;
  const isOne = pins.length === 1;
  const areUnsure = pins.every(isUnsurePin);
  return (
    <button
      type="button"
      data-n={n}
      class={`mo ${isOne ? '' : 'cl'} ${areUnsure ? 'un' : ''}`}
      tabIndex={-1}
      style={`left:${left}px`}
      aria-label={
        isOne
          ? `${pinWords(pins[0]!, conversation)}${areUnsure ? ', unsure' : ''}`
          : `${countedWords(pins)}: ${kindWords(pins)}`
      }
    >
      <SignFace count={pins.length} kind={category} isUnsure={areUnsure} />
    </button>
  );
}

/** "Objection, Speaker B, 0:14"; of a promise also who owes what. */
const pinWords = (pin: Pin, conversation: ConversationView): string =>
  pin.category === 'promise'
    ? `${SIGN_NAMES.promise}, ${clock(pin.at)}, ${promiseWithTime(pin, conversation)}`
    : `${SIGN_NAMES[pin.category]}, ${conversation.names[pin.speaker]}, ${clock(pin.at)}`;

/** Zooming moves the pins, but rarely changes their appearance. */
const SignFace = memo(({ count, ...sign }: { count: number; kind: SignKind; isUnsure: boolean }) =>
  count > 1 ? <span>{count}</span> : <SignGlyph {...sign} size={15} />,
);

function PinTip({ pin, conversation }: { pin: Pin; conversation: ConversationView }) {
  if (pin.category === 'promise') return <PromiseTip pin={pin} conversation={conversation} />;
  return (
    <>
      <b>{SIGN_NAMES[pin.category]}</b>, {conversation.names[pin.speaker]} <span class="num">{clock(pin.at)}</span>
      <br />“{pin.quote}”<br />
      <Confidence value={pin.confidence} />
    </>
  );
}
