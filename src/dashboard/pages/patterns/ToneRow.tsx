import { Fragment } from 'preact';
import type { PatternColumns } from '../../../sdk/page-filters.ts';
import type { TrendCell } from '../../../sdk/wire.ts';
import { clamp } from '../../lib/format.ts';
import type { PatternColumn } from './filters.ts';

const HEIGHT = 78;
const WIDTH = 100;
/** Distance of the valence from neutral that reaches the upper or lower edge. */
const SPAN = 0.2;

const yOf = (valence: number): number => HEIGHT / 2 - clamp((valence - 0.5) / SPAN, -1, 1) * (HEIGHT / 2 - 4);
const two = (value: number): string => value.toFixed(2).replace(/^0/, '');
/** The conversations of a column, in words. */
export const callsOf = (count = 0): string => (count === 0 ? 'no calls' : `${count} ${count === 1 ? 'call' : 'calls'}`);

/** The mean of a column with the quartiles around it. */
type Ribbon = readonly [lower: number, mean: number, upper: number];

function ribbonOf(cell: TrendCell | undefined): Ribbon | undefined {
  if (!cell?.mean || !cell.quartiles) return undefined;
  return [cell.quartiles[0]!, cell.mean.value, cell.quartiles[2]!];
}

/**
 * The tone of the speakers who are not staff: the mean of each column as a line in the band of the middle half of the calls.
 * A column with few calls breaks the ribbon and shows each call.
 */
export function ToneRow({
  cells,
  span,
  columns,
  isOut,
}: {
  cells: readonly TrendCell[];
  span: PatternColumns['span'];
  columns: readonly PatternColumn[];
  isOut: (column: number) => boolean;
}) {
  const at = (column: number): TrendCell | undefined =>
    cells.find(({ group }) => group[span] === columns[column]?.from);
  const [known, unknown] = [cells.reduce((sum, { n }) => sum + n, 0), cells.reduce((sum, c) => sum + c.n_unknown, 0)];
  return (
    <tr class="tone1">
      <th scope="row">
        <span>Tone of customers</span>
        {known > 0 && (
          <>
            <small class="end4">positive {two(0.5 + SPAN)}</small>
            <small class="end4 low">negative {two(0.5 - SPAN)}</small>
          </>
        )}
        {unknown > 0 && (
          <small>
            tone of {known} of {known + unknown} calls
          </small>
        )}
      </th>
      {known === 0 ? (
        <td colSpan={columns.length} class="muted">
          No call of these {span}s has a tone of somebody who is not staff.
        </td>
      ) : (
        columns.map(({ from, name }, i) => (
          <td key={from} class={isOut(i) ? 'out' : ''}>
            <ToneCell
              name={`Tone of customers, ${name}`}
              cell={at(i)}
              before={i === 0 ? undefined : ribbonOf(at(i - 1))}
              after={i + 1 === columns.length ? undefined : ribbonOf(at(i + 1))}
            />
          </td>
        ))
      )}
    </tr>
  );
}

/** Words for the signs of the row, each with the classes and paths that draw it. */
const SIGNS: readonly [words: string, ...lines: (readonly [kind: string, path: string])[]][] = [
  ['neutral', ['even', 'M0 5H24']],
  ['mean', ['pos', 'M0 2H24V10H0Z'], ['mean', 'M0 2H24']],
  ['mean below neutral', ['neg', 'M0 0H24V8H0Z'], ['mean neg', 'M0 8H24']],
  ['between the dots: the middle half of the calls', ['band', 'M0 1H24V9H0Z'], ['edge', 'M0 1H24M0 9H24']],
];

/** The signs of the row in words. */
export const ToneKey = ({ span }: Pick<PatternColumns, 'span'>) => (
  <p class="more1 tonekey">
    <b>Tone of customers:</b> of everybody who is not staff, from 0 (negative) to 1 (positive), .50 neutral.{' '}
    {SIGNS.map(([words, ...lines]) => (
      <Fragment key={words}>
        <span>
          <svg width="24" height="10" aria-hidden="true">
            {lines.map(([kind, d]) => (
              <path key={kind} class={kind} d={d} />
            ))}
          </svg>{' '}
          {words}
        </span>{' '}
      </Fragment>
    ))}
    <span>
      <i /> one call, in a {span} of under 8 calls
    </span>
  </p>
);

interface ToneCellProps {
  name: string;
  cell: TrendCell | undefined;
  /** Those of the columns beside it, to which its own ribbon leads. */
  before: Ribbon | undefined;
  after: Ribbon | undefined;
}

function ToneCell({ name, cell, before, after }: ToneCellProps) {
  if (!cell || cell.n === 0) return cell?.n_unknown ? <span class="cell muted">no tone</span> : null;
  const own = ribbonOf(cell);
  const said = `${name}: ${own && cell.mean ? `mean ${two(own[1])} (${two(cell.mean.from)} to ${two(cell.mean.to)}), middle half ${two(own[0])} to ${two(own[2])}, ` : ''}${callsOf(cell.n)}`;
  return (
    <span class="tone" role="img" aria-label={said} title={said.slice(said.indexOf(':') + 2)}>
      {own && <Band own={own} before={before ?? own} after={after ?? own} />}
      {!own &&
        (cell.values ?? []).map(({ conversation_id, value }, i, { length }) => (
          <i
            key={conversation_id}
            style={{ left: `${((i + 0.5) / length) * 100}%`, top: `${(yOf(value) / HEIGHT) * 100}%` }}
          />
        ))}
    </span>
  );
}

/** A ribbon that meets those beside it half-way. */
function Band({ own, before, after }: { own: Ribbon; before: Ribbon; after: Ribbon }) {
  const line = (part: 0 | 1 | 2): [number, number][] => [
    [0, yOf((before[part] + own[part]) / 2)],
    [WIDTH / 2, yOf(own[part])],
    [WIDTH, yOf((own[part] + after[part]) / 2)],
  ];
  const path = (points: readonly [number, number][]): string =>
    points.map(([x, y], i) => `${i === 0 ? 'M' : 'L'}${x} ${y.toFixed(1)}`).join('');
  const [lower, mean, upper] = [line(0), line(1), line(2)];
  const isPositive = own[1] >= 0.5;
  const base: [number, number][] = [
    [WIDTH, HEIGHT / 2],
    [0, HEIGHT / 2],
  ];
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={`${path([...mean, ...base])}Z`} class={isPositive ? 'pos' : 'neg'} />
      <path d={`${path([...lower, ...upper.toReversed()])}Z`} class="band" />
      <path d={path(lower)} class="edge" />
      <path d={path(upper)} class="edge" />
      <path d={path(mean)} class={isPositive ? 'mean' : 'mean neg'} />
    </svg>
  );
}
