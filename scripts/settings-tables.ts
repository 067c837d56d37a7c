import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PIPELINE_SETTINGS } from '../containers/pipeline/settings.ts';
import { CONTAINER_SETTINGS } from '../src/contract/container-settings.ts';
import type { Setting, SettingsTable } from '../src/contract/settings.ts';
import { WORKER_SETTINGS } from '../src/worker/settings/settings.ts';

// `npm run generate -- settings`: writes the tables of docs/operations/settings.md from the settings in the code.

const PAGE = join(import.meta.dirname, '../docs/operations/settings.md');

const isContainers = ({ name }: Setting<unknown>): boolean =>
  Object.values(CONTAINER_SETTINGS).some((known) => known.name === name);

/** Text with its links changed to lead from `docs/operations` to `docs/reference`. */
const withLinks = (text: string): string => text.replaceAll(/\]\(([\w-]+\.md)\)/g, '](../reference/$1)');

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

function tableOf(
  settings: readonly Setting<unknown>[],
  more: Record<string, (setting: Setting<unknown>) => string> = {},
) {
  const heads = ['setting', 'default', 'what it limits or chooses', ...Object.keys(more)];
  const rows = settings.map((setting) => {
    const { name, fallback, defaultDescription, description, isSecret } = setting;
    const named = `\`${name}\`${isSecret ? ' (secret)' : ''}`;
    return row([
      named,
      defaultDescription ?? (fallback || 'none'),
      withLinks(description),
      ...Object.values(more).map((cell) => cell(setting)),
    ]);
  });
  return [row(heads), row(heads.map(() => '---')), ...rows].join('\n');
}

const entries = (table: SettingsTable): Setting<unknown>[] => Object.values(table);

const TABLES: Record<string, string> = {
  worker: tableOf(entries(WORKER_SETTINGS).filter((setting) => !isContainers(setting))),
  pipeline: tableOf(entries(PIPELINE_SETTINGS), { container: (setting) => (isContainers(setting) ? 'yes' : 'no') }),
};

/**
 * Replaces each table between `<!-- settings: NAME -->` and `<!-- end of settings -->` with one generated from the
 * code.
 */
export const withTables = (page: string): string =>
  page.replaceAll(
    /(<!-- settings: (\w+) -->\n)[\s\S]*?(<!-- end of settings -->)/g,
    (_, start: string, name: string, end: string) => `${start}${TABLES[name]}\n${end}`,
  );

if (import.meta.main) writeFileSync(PAGE, withTables(readFileSync(PAGE, 'utf8')));
