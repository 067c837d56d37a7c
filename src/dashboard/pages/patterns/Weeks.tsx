import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { NO_PERIOD } from '../../../sdk/page-filters.ts';
import type { MomentCategory, TrendCell } from '../../../sdk/wire.ts';
import { MOMENT_CATEGORIES } from '../../../sdk/wire.ts';
import { capital, isUnsure, unsurePart } from '../../lib/format.ts';
import { Glyph } from '../../lib/speaker-marks.tsx';
import { thumbOf } from '../shelf/thumbs.ts';
import { type Brush, ColumnDrag, edgeScroll } from './brush.ts';
import { columnsOf, isWithin, type PatternNarrowing, periodOf } from './filters.ts';
import { callsOf, ToneKey, ToneRow } from './ToneRow.tsx';

/** Columns beyond which a cell has no room for the word "unsure", at any width. */
const MOST_WORDED = 8;

/** The place of the column that an element belongs to. */
function columnOf(target: EventTarget | null): number | undefined {
  const cell = target instanceof Element ? target.closest<HTMLElement>('[data-column]') : null;
  const column = cell?.dataset.column;
  return column === undefined ? undefined : Number(column);
}

/**
 * A row for each kind, a column for each week or month, and a mark for each moment: solid where it is sure. Columns are
 * chosen by their heads, by dragging over them, or with Shift and the arrow keys. A finger drags over the heads; where the sheet is
 * wider than the screen, it scrolls the rest.
 */
export function Weeks({
  cells,
  tone,
  filters,
  narrow,
}: PatternNarrowing & { cells: readonly TrendCell[]; tone: readonly TrendCell[] }) {
  const { span, columns } = useMemo(() => columnsOf(filters.weeks), [filters.weeks]);
  const cellAt = (category: MomentCategory, from: string): TrendCell | undefined =>
    cells.find(({ group }) => group.category === category && group[span] === from);
  const rows = MOMENT_CATEGORIES.filter(({ name }) =>
    cells.some(({ group, sum }) => group.category === name && (sum ?? 0) > 0),
  );
  /** Conversations of each column, by its first day. */
  const calls = useMemo(() => new Map(tone.map((cell) => [cell.group[span], cell.n + cell.n_unknown])), [tone, span]);
  const sheet = useRef<HTMLDivElement>(null);
  // On a narrow screen the newest columns are seen first.
  useEffect(() => {
    if (sheet.current) sheet.current.scrollLeft = sheet.current.scrollWidth;
  }, [columns]);
  const [isWide, setWide] = useState(false);
  const { earlier, later, see } = useBeyond(sheet);
  useEffect(() => {
    const { current } = sheet;
    if (!current) return;
    const measure = (): void => {
      setWide(current.scrollWidth > current.clientWidth + 1);
      see();
    };
    const seen = new ResizeObserver(measure);
    seen.observe(current);
    return () => seen.disconnect();
  }, [columns, rows.length === 0]);
  const turn = (by: -1 | 1): void => {
    const { current } = sheet;
    const kinds = current?.querySelector('th');
    if (current && kinds) current.scrollLeft += by * (current.clientWidth - kinds.offsetWidth);
  };
  /** Whether cells have bars on a wide screen, too. A phone and narrow paper have nothing else. */
  const hasBars = cells.some((cell) => isBar(cell));
  const chosen = columns.flatMap((column, i) => (isWithin(column, filters) ? [i] : []));
  const brushed: Brush | undefined =
    filters.from === '' || chosen.length === 0 ? undefined : [chosen[0]!, chosen.at(-1)!];
  const brush = useBrush(sheet, columns.length, brushed, ([a, b], isStep) =>
    narrow(periodOf(columns[a]!, columns[b]!), isStep),
  );
  const clear = (): void => narrow(NO_PERIOD);
  const shown = brush.dragged ?? brushed;
  const isOut = (i: number): boolean =>
    shown === undefined ? filters.from !== '' : i < Math.min(...shown) || i > Math.max(...shown);
  const isIn = ({ group }: TrendCell): boolean => !isOut(columns.findIndex(({ from }) => from === group[span]));
  const pressHead = (i: number): void =>
    brushed?.[0] === i && brushed[1] === i ? clear() : narrow(periodOf(columns[i]!, columns[i]!));
  if (rows.length === 0) return null;
  return (
    <div
      class={`card score ${isWide ? 'wide wider' : ''} ${earlier > 0 ? 'hides' : ''} ${columns.length > MOST_WORDED ? 'dense' : ''}`}
      ref={sheet}
      onScroll={see}
      {...brush.handlers(clear)}
    >
      {earlier + later > 0 && (
        <p class="more1 beyond1">
          {earlier > 0 && (
            <button type="button" class="btn sm" onClick={() => turn(-1)}>
              ← {earlier} earlier {span}
              {earlier === 1 ? '' : 's'}
            </button>
          )}
          {later > 0 && (
            <button type="button" class="btn sm later" onClick={() => turn(1)}>
              {later} later {span}
              {later === 1 ? '' : 's'} →
            </button>
          )}
        </p>
      )}
      <p class="more1">
        <span class="key2">
          One mark is one moment: filled, or an offer’s ring with a point, is sure or likely; a dashed outline is
          unsure. A cell with too many for marks has a bar.{' '}
        </span>
        <span class="key3">
          In a bar, the dashed part is unsure<span class="key4">, and “(3?)” is: 3 of them unsure</span>.
        </span>
        <span class={hasBars ? '' : 'key5'}> Each row of bars has its own scale.</span>
      </p>
      <table style={{ '--columns': columns.length }}>
        <caption class="vh">Moments by kind and {span}</caption>
        <thead>
          <tr>
            <th scope="col">
              <span class="vh">Kind</span>
            </th>
            {columns.map(({ from, head, name }, i) => (
              <th key={from} scope="col" data-column={i} class={isOut(i) ? 'out' : ''}>
                <button
                  type="button"
                  class="week"
                  aria-pressed={shown !== undefined && !isOut(i)}
                  aria-label={capital(name)}
                  title={`Only this ${span}. Drag, Shift-click, or Shift with an arrow key for several`}
                  onClick={(e) => !e.shiftKey && pressHead(i)}
                >
                  {head}
                </button>
                <small>{callsOf(calls.get(from))}</small>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, label }) => (
            <tr key={name}>
              <th scope="row">
                <RowHead kind={name} label={label} cells={cells.filter(isIn)} />
              </th>
              {columns.map((column, i) => (
                <td key={column.from} data-column={i} class={isOut(i) ? 'out' : ''}>
                  <WeekCell
                    cell={cellAt(name, column.from)}
                    calls={calls.get(column.from)}
                    kind={name}
                    most={Math.max(...cells.map(({ group, sum }) => (group.category === name ? (sum ?? 0) : 0)))}
                    name={`${label}, ${column.name}`}
                    heard={filters.at}
                    isChosen={brushed?.[0] === i && brushed[1] === i && filters.category === name}
                    choose={(isOn) =>
                      isOn ? narrow({ ...periodOf(column, column), category: name, outcome: '' }) : clear()
                    }
                    hear={(at) => narrow({ ...periodOf(column, column), category: name, outcome: '', at })}
                  />
                </td>
              ))}
            </tr>
          ))}
          <ToneRow cells={tone} span={span} columns={columns} isOut={isOut} />
        </tbody>
      </table>
      {tone.some(({ n }) => n > 0) && <ToneKey span={span} />}
    </div>
  );
}

/** Part of a column that may be out of sight before the column counts as such, px. */
const HIDDEN_FROM = 12;

/** How many columns are out of sight on either side of a sheet that scrolls. `see` counts them anew. */
function useBeyond(sheet: RefObject<HTMLElement | null>) {
  const [earlier, setEarlier] = useState(0);
  const [later, setLater] = useState(0);
  const see = (): void => {
    const { current } = sheet;
    const kinds = current?.querySelector('th');
    if (!current || !kinds) return;
    const [left, right] = [kinds.getBoundingClientRect().right, current.getBoundingClientRect().right];
    const heads = [...current.querySelectorAll('thead [data-column]')].map((head) => head.getBoundingClientRect());
    setEarlier(heads.filter((head) => head.left < left - HIDDEN_FROM).length);
    setLater(heads.filter((head) => head.right > right + HIDDEN_FROM).length);
  };
  return { earlier, later, see };
}

type Place = Pick<PointerEvent, 'clientX' | 'clientY' | 'pointerId'>;

/** The choice of neighbouring columns with a pointer and with keys. */
function useBrush(
  sheet: RefObject<HTMLElement | null>,
  count: number,
  brushed: Brush | undefined,
  choose: (brush: Brush, isStep: boolean) => void,
) {
  const [dragged, setDragged] = useState<Brush | undefined>(undefined);
  const drag = useMemo(() => new ColumnDrag(), []);
  const scrolling = useRef(0);
  /** The end that the keys move, which may be the first column. */
  const last = useRef<Brush | undefined>(undefined);
  const isLast =
    last.current && brushed && Math.min(...last.current) === brushed[0] && Math.max(...last.current) === brushed[1];
  const current = isLast ? last.current : brushed;
  const set = (next: Brush, isStep: boolean): void => {
    last.current = next;
    choose(next, isStep);
  };
  const cancel = (): void => {
    cancelAnimationFrame(scrolling.current);
    drag.cancel();
    setDragged(undefined);
  };
  /** Scrolls for as long as the pointer stays at the edge, and chooses the columns that come in sight. */
  const scrollAtEdge = ({ clientX: x, clientY: y, pointerId }: Place): void => {
    cancelAnimationFrame(scrolling.current);
    const { current } = sheet;
    const kinds = current?.querySelector('th');
    if (!current || !kinds || !drag.isDown) return;
    const before = current.scrollLeft;
    current.scrollLeft += edgeScroll(x, kinds.getBoundingClientRect().right, current.getBoundingClientRect().right);
    if (current.scrollLeft === before) return;
    if (drag.moveTo(pointerId, columnOf(document.elementFromPoint(x, y)))) setDragged(drag.brush);
    scrolling.current = requestAnimationFrame(() => scrollAtEdge({ clientX: x, clientY: y, pointerId }));
  };
  const extend = (column: number): void => set([current?.[0] ?? column, column], current !== undefined);
  const handlers = (clear: () => void) => ({
    onPointerDown: (e: PointerEvent): void => {
      if (e.button !== 0 || e.shiftKey) return;
      // A finger would stay with the element that it touched first.
      (e.target as Element).releasePointerCapture?.(e.pointerId);
      drag.begin(e.pointerId, columnOf(e.target));
      setDragged(undefined);
    },
    onPointerMove: (e: PointerEvent): void => {
      if (drag.isDown && e.buttons === 0) cancel();
      if (!drag.isDown) return;
      if (drag.moveTo(e.pointerId, columnOf(e.target))) setDragged(drag.brush);
      if (drag.brush) scrollAtEdge(e);
    },
    onPointerUp: (e: PointerEvent): void => {
      const chosen = drag.end(e.pointerId);
      cancel();
      if (chosen) set(chosen, false);
    },
    onPointerCancel: cancel,
    onPointerLeave: cancel,
    onClick: (e: MouseEvent): void => {
      const column = columnOf(e.target);
      if (e.shiftKey && column !== undefined) extend(column);
    },
    onKeyDown: (e: KeyboardEvent): void => {
      const from = columnOf(e.target);
      if (e.key === 'Escape' && brushed) {
        e.stopPropagation();
        clear();
        return;
      }
      if (from === undefined || !e.key.startsWith('Arrow') || e.ctrlKey || e.metaKey || e.altKey) return;
      // The arrows belong to the player elsewhere.
      e.stopPropagation();
      e.preventDefault();
      if (!e.shiftKey) {
        moveFocus(e.target as Element, e.key);
        return;
      }
      const by = e.key === 'ArrowRight' ? 1 : e.key === 'ArrowLeft' ? -1 : 0;
      const [anchor, end] = current ?? [from, from];
      const next = Math.max(0, Math.min(count - 1, end + by));
      if (by !== 0 && next !== end) set([anchor, next], current !== undefined);
    },
  });
  return { dragged, handlers };
}

/** Moves the focus to the next button of the sheet in a direction. */
function moveFocus(from: Element, key: string): void {
  const cell = from.closest<HTMLTableCellElement>('th, td');
  const row = cell?.parentElement as HTMLTableRowElement | undefined;
  const rows = [...(row?.closest('table')?.rows ?? [])];
  if (!cell || !row) return;
  const isForward = key === 'ArrowRight' || key === 'ArrowDown';
  const line =
    key === 'ArrowLeft' || key === 'ArrowRight' ? [...row.cells] : rows.map(({ cells }) => cells[cell.cellIndex]);
  const at = line.indexOf(cell);
  const ahead = isForward ? line.slice(at + 1) : line.slice(0, at).reverse();
  for (const one of ahead) {
    const button = one?.querySelector('button');
    button?.focus();
    if (button) return;
  }
}

interface RowHeadProps {
  kind: MomentCategory;
  label: string;
  cells: readonly TrendCell[];
}

/** A kind of moments, with its sum over the chosen columns. */
function RowHead({ kind, label, cells }: RowHeadProps) {
  const own = cells.filter(({ group }) => group.category === kind);
  const unsure = own.reduce((total, cell) => total + cell.unsure, 0);
  const sum = own.reduce((total, cell) => total + (cell.sum ?? 0), 0);
  return (
    <span class="kind1">
      <Glyph kind={kind} size={14} isUnsure={sum > 0 && unsure === sum} />
      <span>{label}</span>
      <b class="num">{sum}</b>
      {unsure > 0 && <small>{unsure < sum ? unsure : 'all'} unsure</small>}
    </span>
  );
}

/** Whether a cell has more moments than marks. */
const isBar = ({ sum, marks }: TrendCell): boolean => (sum ?? 0) > (marks?.length ?? 0);

interface WeekCellProps {
  cell: TrendCell | undefined;
  /** Conversations of the column. */
  calls: number | undefined;
  kind: MomentCategory;
  /** The largest number of the row. */
  most: number;
  name: string;
  /** The id of the moment that was chosen to be heard. */
  heard: string;
  isChosen: boolean;
  choose: (isChosen: boolean) => void;
  /** @param moment the id of a moment */
  hear: (moment: string) => void;
}

function WeekCell({ cell, calls, kind, most, name, heard, isChosen, choose, hear }: WeekCellProps) {
  const sum = cell?.sum ?? 0;
  // A column without calls is empty.
  if (!cell || sum === 0) return calls ? <span class="cell muted">0</span> : null;
  const marks = cell.marks ?? [];
  const press = (e: MouseEvent): void => {
    if (e.shiftKey) return;
    const { moment } = (e.target as HTMLElement).dataset;
    if (moment === undefined) choose(!isChosen);
    else hear(moment);
  };
  return (
    <button
      type="button"
      class={isBar(cell) ? 'cell many' : 'cell'}
      aria-pressed={isChosen}
      aria-label={`${name}: ${sum}${unsurePart(sum, cell.unsure)}`}
      onClick={press}
    >
      <span class="strip3" aria-hidden="true">
        <b style={{ width: `${(sum / most) * 100}%` }}>
          <i style={{ flexGrow: sum - cell.unsure }} />
          {cell.unsure > 0 && <i class="hol" style={{ flexGrow: cell.unsure }} />}
        </b>
      </span>
      <span class={`marks ${kind}`}>
        {marks.map((mark) => (
          <i
            key={mark.moment_id}
            data-moment={mark.moment_id}
            class={[
              isUnsure(mark.p) ? 'hol' : '',
              thumbOf(mark.moment_id, mark.thumb) === 'down' ? 'struck' : '',
              mark.moment_id === heard ? 'now' : '',
            ].join(' ')}
          />
        ))}
      </span>
      <span class="num">
        {sum}
        {cell.unsure > 0 && (
          <small data-unsure={cell.unsure}>
            <span class="word">{unsurePart(sum, cell.unsure)}</span>
          </small>
        )}
      </span>
    </button>
  );
}
