import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Operations } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { shortDay, tenantName } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { Scrolling } from '../lib/scrolling.tsx';
import { say } from '../lib/tip.tsx';

export interface Column<T> {
  name: string;
  of: (row: T) => ComponentChildren;
  /** Width of the column, CSS. Columns without one share the rest. */
  width?: string;
  /** Classes of the cells: `r` to the right, `num`, `mono`, `muted`, `whole` for words that paper does not break. */
  kind?: string | ((row: T) => string);
  /** More about a long content, on hover. Such a cell wraps. */
  title?: (row: T) => string;
  /** Whether its name is only for screen readers. */
  isUnnamed?: boolean;
}

interface TableProps<T> {
  columns: readonly Column<T>[];
  rows: readonly T[];
  keyOf: (row: T) => string;
}

/** A table for the operator. On narrow windows, each row is a block of named values, so that nothing is cut. */
export function Table<T>({ columns, rows, keyOf }: TableProps<T>) {
  const kindOf = ({ kind = '', title }: Column<T>, row: T): string =>
    `${typeof kind === 'string' ? kind : kind(row)} ${title ? 'long' : ''}`;
  const isRight = ({ kind }: Column<T>): boolean => typeof kind === 'string' && kind.startsWith('r');
  return (
    <table class="fix">
      <thead>
        <tr>
          {columns.map((column, i) => (
            <th key={i} scope="col" class={isRight(column) ? 'r' : ''} style={{ '--width': column.width }}>
              <span class={column.isUnnamed ? 'vh' : ''}>{column.name}</span>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map((column, i) => (
              <td
                key={i}
                class={kindOf(column, row)}
                title={column.title?.(row)}
                data-name={column.isUnnamed ? undefined : column.name}
              >
                {column.of(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A card with a table, or with a sentence where it has no rows. */
export function TableCard<T>({
  name,
  empty,
  children,
  below,
  ...table
}: TableProps<T> & { name: string; empty: string; children?: ComponentChildren; below?: string }) {
  return (
    <Scrolling name={name} kind="ops">
      {children}
      {table.rows.length === 0 ? <p class="muted in2">{empty}</p> : <Table {...table} />}
      {below !== undefined && table.rows.length > 0 && <p class="muted in2">{below}</p>}
    </Scrolling>
  );
}

/** The name of the tenant of a row. */
export function tenantColumn<T extends { tenant: string }>({ tenants }: Operations): Column<T> {
  const names = new Map(tenants.map((one) => [one.id, tenantName(one)]));
  const nameOf = ({ tenant }: T): string => names.get(tenant) ?? tenant;
  return { name: 'Tenant', width: '140px', of: (row) => <bdi>{nameOf(row)}</bdi>, title: nameOf };
}

/**
 * A link to the conversation of a row: by its title, or by when its analysis began.
 * @param titles those that the page knows, by id. The operator sees none, because titles can name customers
 */
export function conversationColumn<T extends { conversation_id: string | null; started_at?: string }>(
  titles: ReadonlyMap<string, string> = new Map(),
): Column<T> {
  return {
    name: 'Conversation',
    width: '180px',
    of: ({ conversation_id: id, started_at: began }) => {
      if (id === null) return null;
      const name = titles.get(id) ?? (began && `from ${shortDay(began)}`);
      return (
        <>
          <a class={name === undefined ? 'mono und' : 'und'} href={`/app/conversations/${id}`}>
            <bdi>{name ?? id}</bdi>
          </a>
          {name !== undefined && <small class="mono id2">{id}</small>}
        </>
      );
    },
    title: ({ conversation_id: id }) => id ?? '',
  };
}

interface AgainProps {
  /** The words on the button. */
  name: string;
  /** The sentence after it has succeeded. */
  done: string;
  run: () => Promise<unknown>;
  again: () => void;
}

export function AgainButton({ name, done, run, again }: AgainProps) {
  const [isAsked, setAsked] = useState(false);
  const press = async (): Promise<void> => {
    setAsked(true);
    try {
      await run();
      say(done);
      again();
    } catch (error) {
      say(errorTextOf(error).what);
      setAsked(false);
    }
  };
  return (
    <button type="button" class="btn sm" disabled={isAsked} onClick={() => void press()}>
      <Icon name="rotate" size={14} /> {name}
    </button>
  );
}
