import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { MomentCategory } from '../../../sdk/wire.ts';
import { clamp, clock, isUnsure, unsurePart } from '../../lib/format.ts';
import { memo } from '../../lib/memo.ts';
import { Nth } from '../../lib/Nth.tsx';
import { Confidence, Glyph, MOMENT_NAMES } from '../../lib/speaker-marks.tsx';
import { hideTip, showTip } from '../../lib/tip.tsx';
import { type MomentPin, phaseWords, type ShownPhase } from '../model.ts';
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
            aria-label={`${phaseWords(phase)}, from ${clock(phase.start)}`}
            onClick={(e) => page.hear(phase.start, e)}
          >
            <Nth of={phase.nth} /> <bdi>{phase.name || clock(phase.start)}</bdi>
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
  pin: MomentPin;
  x: number;
}

export function PinRow({ page, picture }: RowProps) {
  const shown = shownPins(picture.value);
  return shown.bins ? <BinRow page={page} bins={shown.bins} /> : <SignRow page={page} groups={shown.signs} />;
}

/** The moments of each interval as a number over a bar, which zooms in. */
function BinRow({ page, bins }: { page: PageState; bins: readonly MomentBin<MomentPin>[] }) {
  const most = Math.max(...bins.map(({ items }) => items.length));
  const binOf = (e: Event): MomentBin<MomentPin> | undefined => bins[numberOf(e) ?? -1];
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
          aria-label={`${momentsOf(items)}, ${clock(from)} to ${clock(to)}`}
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
type Counted = Pick<MomentBin<MomentPin>, 'from' | 'to' | 'items'>;

const isUnsurePin = ({ moment }: MomentPin): boolean => isUnsure(moment.confidence);
/** "3 moments (1 unsure)", "2 moments, all unsure". */
const momentsOf = (items: readonly MomentPin[]): string =>
  `${items.length} ${items.length === 1 ? 'moment' : 'moments'}${unsurePart(items.length, items.filter(isUnsurePin).length)}`;

function CountedTip({ of: { from, to, items } }: { of: Counted }) {
  const kinds = [...Map.groupBy(items, ({ category }) => category)].sort(([, a], [, b]) => b.length - a.length);
  return (
    <>
      <b>{momentsOf(items)}</b>{' '}
      <span class="num">
        {clock(from)} to {clock(to)}
      </span>
      <br />
      {kinds.map(([kind, all]) => `${MOMENT_NAMES[kind]} ${all.length}`).join(', ')}
      <br />
      <span class="muted">Click to zoom in</span>
    </>
  );
}

function SignRow({ page, groups }: { page: PageState; groups: readonly Sign<Pinned>[] }) {
  const { names } = page.conversation;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: it handles the events of the buttons in it
    <div
      onClick={(e) => {
        const group = groups[numberOf(e) ?? -1];
        if (group) open(page, group.items, e);
      }}
      onPointerMove={(e) => {
        const pins = groups[numberOf(e) ?? -1]?.items.map(({ pin }) => pin);
        if (!pins) return;
        const [first, last] = [pins[0]!, pins.at(-1)!];
        const told =
          first === last ? (
            <PinTip pin={first} names={names} />
          ) : (
            <CountedTip of={{ from: first.at, to: last.at, items: pins }} />
          );
        showTip(told, e.clientX, e.clientY, 'above');
      }}
      onPointerLeave={hideTip}
    >
      {groups.map(({ items, x }, n) => (
        <PinButton key={n} n={n} pins={items.map(({ pin }) => pin)} left={Math.round(x * 10) / 10} names={names} />
      ))}
    </div>
  );
}

/** Goes to a single pin, or zooms in on several. */
function open(page: PageState, group: readonly Pinned[], e: MouseEvent): void {
  const { pin } = group[0]!;
  if (group.length === 1) {
    page.hearMoment(pin, e);
    return;
  }
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
  names,
}: {
  n: number;
  pins: readonly MomentPin[];
  left: number;
  names: readonly string[];
}) {
  const { category, speaker, at } = pins[0]!;
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
          ? `${MOMENT_NAMES[category]}, ${names[speaker]}, ${clock(at)}${areUnsure ? ', unsure' : ''}`
          : momentsOf(pins)
      }
    >
      <SignFace count={pins.length} kind={category} isUnsure={areUnsure} />
    </button>
  );
}

/** Zooming moves the pins, but rarely changes their appearance. */
const SignFace = memo(({ count, ...sign }: { count: number; kind: MomentCategory; isUnsure: boolean }) =>
  count > 1 ? <span>{count}</span> : <Glyph {...sign} size={15} />,
);

function PinTip({ pin, names }: { pin: MomentPin; names: readonly string[] }) {
  return (
    <>
      <b>{MOMENT_NAMES[pin.category]}</b>, {names[pin.speaker]} <span class="num">{clock(pin.at)}</span>
      <br />“{pin.quote}”<br />
      <Confidence value={pin.moment.confidence} />
    </>
  );
}
