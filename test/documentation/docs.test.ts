import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { withTables } from '../../scripts/settings-tables.ts';
import { AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { ERRORS } from '../../src/contract/errors.ts';
import { LIMITS } from '../../src/contract/limits.ts';
import { TimelineEntrySchema } from '../../src/contract/timeline-entry.ts';
import { settingsOf } from '../../src/worker/settings/settings.ts';
import { DELAYS_MS } from '../../src/worker/tenant/webhooks/webhooks.ts';

const page = (name: string): string => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');

it.each(Object.entries(ERRORS))('docs/api.md names the error %s with its status', (code, { status }) => {
  expect(page('api.md')).toMatch(new RegExp(`^\\| ${status} \\|[^|]*\`${code}\``, 'm'));
});

it('docs/api.md explains every field of an answer and of a timeline entry', () => {
  const explained = page('api.md');
  const fields = [...Object.keys(AnalysisResponseSchema.shape), ...Object.keys(TimelineEntrySchema.shape)];
  // A row may name a family of scores and levels by its beginning.
  const isNamed = (field: string) =>
    explained.includes(`\`${field}\``) || explained.includes(`\`${field.replace(/_(score|level)$/, '_*')}\``);
  expect(fields.filter((field) => !isNamed(field))).toEqual([]);
});

it('docs/operating.md has the tables of settings as the code has them; `npm run generate -- settings` writes them', () => {
  const told = page('operating.md');
  expect(told.match(/<!-- settings: \w+ -->/g)).toHaveLength(2);
  expect(told).toBe(withTables(told));
});

it('docs/operating.md tells the limits as they are', () => {
  const told = page('operating.md').replace(/(\d),(?=\d)/g, '$1');
  for (const limit of Object.values(LIMITS)) expect(told).toContain(String(limit >= 2 ** 20 ? limit / 2 ** 20 : limit));
});

it.each(['jobs.md', 'guides/webhooks.md'])('docs/%s tells when a message is sent again as the code has it', (name) => {
  const named = DELAYS_MS.map((ms) => (ms < 60_000 ? ms / 1000 : ms < 3_600_000 ? ms / 60_000 : ms / 3_600_000));
  const [s1, s2, m1, m2, ...hours] = named;
  const last = hours.pop();
  expect(page(name).replace(/\s+/g, ' ')).toContain(
    `after ${s1} s, ${s2} s, ${m1} and ${m2} minutes, ${hours.join(', ')} and ${last} hours`,
  );
});

it('docs/guides/limits.md tells the limits of a deployment that sets none', () => {
  const told = page('guides/limits.md').replace(/(\d),(?=\d)/g, '$1');
  const set = settingsOf({});
  const rows = [
    `| a file | ${set.maxFileBytes / 2 ** 20} MB,`,
    `| a live chunk, a live session | ${set.maxChunkBytes / 2 ** 20} MiB, ${set.maxSessionBytes / 2 ** 20} MB |`,
    `| ${set.maxRequestsPerKey}, ${set.maxRequestsPerTenant} |`,
    `| live sessions of a key at a time | ${set.maxSessionsPerKey} |`,
    `| files of a key being analysed at a time | ${set.maxAnalysesPerKey} |`,
    `| ${LIMITS.goalChars} characters |`,
    `| utterances of a timeline to segment | ${LIMITS.utterances} |`,
    `| people told apart | ${LIMITS.speakers} |`,
  ];
  for (const row of rows) expect(told).toContain(row);
});

it('no page tells to run a TypeScript file past npm, which old versions of Node cannot', () => {
  const pages = [
    'api.md',
    'jobs.md',
    'live.md',
    'operating.md',
    'measures.md',
    'client.md',
    'cli.md',
    'examples/README.md',
    '../../README.md',
  ];
  for (const name of pages) expect(page(name)).not.toMatch(/\bnode [\w/-]+\.ts/);
});
