/**
 * The project's own training data: `data/<set>/fit` and `data/<set>/real` (held by others, with their licence) are what
 * anything may be fitted to, `data/<set>/held-out` and `data/<set>/judge` (of others' text, marks alone) only scored.
 * `manifest.json` beside them says of each file what it holds, whose it is and in which fold of a cross-validation it
 * lies. A file elsewhere, or of which it says nothing, is an error: nothing joins the training unsaid.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { z } from 'zod';

const DATA = join(import.meta.dirname, '../../data');
/** Folds by which models read dialogues that they were not fitted to; a file, that is a hand, is in one of them. */
export const FOLDS = 5;
/** What may lie beside the two folders. */
const BESIDE = /^(manifest\.json|[A-Z]+\.md)$/;

const RowSchema = z.strictObject({
  kind: z.enum(['dialogues', 'exchanges', 'lines', 'marks', 'facts', 'judgements']),
  /** Who wrote it, and who read its marks after: 'none' and 'unknown' are answers. */
  writer: z.string().min(1),
  reviewer: z.string().min(1),
  /** None where a file is fitted to in every fold, or never. */
  fold: z
    .number()
    .int()
    .min(0)
    .max(FOLDS - 1)
    .nullable(),
  /** Of what others wrote. */
  licence: z.string().optional(),
  /** Turns end in the middle of sentences, as recognisers cut them. */
  cut_at_pauses: z.literal(true).optional(),
});

export interface DataFile extends z.infer<typeof RowSchema> {
  folder: 'fit' | 'real' | 'held-out' | 'judge';
  /** Without its ending. */
  name: string;
  path: string;
}

/**
 * The files of a set, by name.
 * @throws for a file in another folder, a file without a row or a row without a file, and one that is only scored but has a fold
 */
export function readSet(root: string): DataFile[] {
  const rows = z.record(z.string(), RowSchema).parse(JSON.parse(readFileSync(join(root, 'manifest.json'), 'utf8')));
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((file) => !BESIDE.test(file));
  const missing = Object.keys(rows).filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`${root}/manifest.json tells of files that are not there: ${missing}`);
  return files
    .map((file): DataFile => {
      const [, folder] = /^(fit|real|held-out|judge)\/[^/]+$/.exec(file) ?? [];
      if (!folder) throw new Error(`${root}/${file} is in none of fit/, real/, held-out/ and judge/`);
      const row = rows[file];
      if (!row) throw new Error(`${root}/manifest.json says nothing of ${file}: writer, reviewer, fold`);
      if (folder !== 'fit' && folder !== 'real' && row.fold !== null)
        throw new Error(`${root}/${file} is held out: it has no fold`);
      const name = basename(file, extname(file));
      return { ...row, folder: folder as DataFile['folder'], name, path: join(root, file) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What is known of a set: its files of one kind in one folder. */
export const ownFiles = (
  set: 'moments' | 'sentiment',
  folder: DataFile['folder'],
  kind: DataFile['kind'],
): DataFile[] => readSet(join(DATA, set)).filter((file) => file.folder === folder && file.kind === kind);

export const readJson = <T>({ path }: DataFile): T => JSON.parse(readFileSync(path, 'utf8')) as T;
