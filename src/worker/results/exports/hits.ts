import type { LineHit, MomentHit } from '../../../contract/patterns.ts';
import type { ExportedTable, TableValue } from './table.ts';

type Hit = MomentHit | LineHit;
interface Column<H extends Hit> {
  name: string;
  type: 'STRING' | 'INT32' | 'DOUBLE';
  of: (hit: H) => TableValue;
}
const column = <H extends Hit>(type: Column<H>['type'], name: string, of: Column<H>['of']): Column<H> => ({
  name,
  type,
  of,
});

const PLACE: readonly Column<Hit>[] = [
  column('STRING', 'conversation_id', ({ conversation_id }) => conversation_id),
  column('STRING', 'title', ({ conversation }) => conversation.title),
  column('STRING', 'recorded_at', ({ conversation }) => conversation.recorded_at),
  column('STRING', 'labels', ({ conversation }) => conversation.labels.join('; ')),
  column('STRING', 'language', ({ conversation }) => conversation.language),
  column('STRING', 'utterance_id', ({ utterance_id }) => utterance_id),
  column('STRING', 'speaker', ({ speaker }) => speaker),
  column('STRING', 'person', ({ person }) => person),
  column('STRING', 'role', ({ role }) => role),
  column('DOUBLE', 't_start', ({ t_start }) => t_start),
  column('DOUBLE', 't_end', ({ t_end }) => t_end),
];

const MOMENT: readonly Column<MomentHit>[] = [
  column('STRING', 'moment_id', ({ moment_id }) => moment_id),
  column('STRING', 'category', ({ category }) => category),
  column('DOUBLE', 'confidence', ({ confidence }) => confidence),
  column('STRING', 'quote', ({ quote }) => quote),
  ...PLACE,
  column('STRING', 'followed_by', ({ followed_by }) => followed_by?.category ?? null),
  column('DOUBLE', 'followed_after_s', ({ followed_by }) => followed_by?.after_s ?? null),
  column('DOUBLE', 'followed_confidence', ({ followed_by }) => followed_by?.confidence ?? null),
];

const LINE: readonly Column<LineHit>[] = [
  column('STRING', 'text', ({ text }) => text),
  column('DOUBLE', 'confidence', ({ confidence }) => confidence),
  ...PLACE,
];

const tableOf = <H extends Hit>(columns: readonly Column<H>[], hits: readonly H[]): ExportedTable => ({
  columns,
  rows: hits.map((hit) => columns.map(({ of }) => of(hit))),
});

/** A row for each moment. */
export const momentTable = (hits: readonly MomentHit[]): ExportedTable => tableOf(MOMENT, hits);
/** A row for each line. */
export const lineTable = (hits: readonly LineHit[]): ExportedTable => tableOf(LINE, hits);
