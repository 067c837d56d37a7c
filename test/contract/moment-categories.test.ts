import { Command } from 'commander';
import { afterAll, expect, it, vi } from 'vitest';
import type { MomentCategoryRow } from '../../src/contract/moment-categories.ts';
import type { MomentCategoryInfo } from '../../src/sdk/wire.ts';

/** A made-up category, as one would add it to the table. */
const PRAISE = vi.hoisted(() => ({
  name: 'praise',
  label: 'Praise',
  description: 'the speaker praises the product',
  verb: 'praises it',
  mark: '♥',
  icon: [{ path: 'M8 14 2 6l6-4 6 4Z', fill: 'ink' as const }],
  output: 5,
  order: 4,
  needsOthers: true as const,
}));

vi.mock('../../src/contract/moment-categories.ts', async (original) => {
  const { MOMENT_CATEGORIES } = await original<typeof import('../../src/contract/moment-categories.ts')>();
  return { MOMENT_CATEGORIES: [...MOMENT_CATEGORIES, PRAISE satisfies MomentCategoryRow] };
});

// The generated file as `npm run generate -- wire-types` writes it from the table with the new row.
vi.mock('../../src/sdk/wire.ts', async () => {
  const { wireTypes } = await import('../../scripts/wire-types.ts');
  const [, table = ''] = wireTypes().split('export const MOMENT_CATEGORIES: readonly MomentCategoryInfo[] = ');
  return { MOMENT_CATEGORIES: new Function(`return ${table}`)() as MomentCategoryInfo[] };
});

// Files of this project share the modules: those here read the new row, those of other files do not.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock('../../src/contract/moment-categories.ts');
  vi.doUnmock('../../src/sdk/wire.ts');
  vi.resetModules();
});

const anna = { moment_id: 'm', speaker_id: 'Anna', start_ms: 0, end_ms: 1, utterance_ids: ['u'], labels: [] };

it('a row of the table is a category of the schema and of the OpenAPI document', async () => {
  const { MomentCategorySchema } = await import('../../src/contract/findings.ts');
  const { openApiDocument } = await import('../../src/openapi/document.ts');
  expect(MomentCategorySchema.safeParse('praise').success).toBe(true);
  const { components } = openApiDocument() as { components: { schemas: Record<string, object> } };
  expect(components.schemas.MomentCategory).toMatchObject({
    enum: expect.arrayContaining(['objection', 'praise']),
    description: expect.stringContaining('`praise`: the speaker praises the product'),
  });
});

it('a row of the table is a type of the client', async () => {
  const { wireTypes } = await import('../../scripts/wire-types.ts');
  expect(wireTypes()).toMatch(/export type MomentCategory = .*'topic_shift' \| 'praise';/);
});

it('a row of the table is an output of the network, a line of the model’s task and a sentence of the summary', async () => {
  const { OUTPUTS } = await import('../../src/conversation/moments/moment-network.ts');
  const { MOMENTS_TASK } = await import('../../src/worker/analysis/moment-reading.ts');
  const { describeMoment } = await import('../../src/conversation/summary/moment-descriptions.ts');
  const { DEFAULT_LANGUAGE } = await import('../../src/conversation/languages.ts');
  expect(OUTPUTS[5]).toBe('praise');
  expect(MOMENTS_TASK).toContain('"praise": the speaker praises the product');
  const moment = { ...anna, category: 'praise' as never, evidence: [], confidence: 1 };
  expect(describeMoment(moment, DEFAULT_LANGUAGE).summary).toBe('Anna praises it: ""');
});

it('a row of the table is an option and a mark of the command line', async () => {
  const { addConversations } = await import('../../src/cli/commands/conversations.ts');
  const { categoryDisplay } = await import('../../src/cli/result.ts');
  const program = new Command();
  addConversations(program, {} as never);
  const list = program.commands[0]?.commands.find((command) => command.name() === 'list');
  expect(list?.options.find(({ long }) => long === '--moment')?.argChoices).toContain('praise');
  expect(categoryDisplay('praise')).toEqual({ mark: '♥', name: 'praise' });
});

it('a row of the table is a category of the tools', async () => {
  const { undertoneServer } = await import('../../src/mcp/server.ts');
  const { Client } = await import('@modelcontextprotocol/client');
  const { InMemoryTransport } = await import('@modelcontextprotocol/server');
  const [here, there] = InMemoryTransport.createLinkedPair();
  const server = undertoneServer({ client: {} as never, url: 'http://localhost', version: '0' });
  const client = new Client({ name: 'test', version: '0' });
  await Promise.all([server.connect(there), client.connect(here)]);
  const { tools } = await client.listTools();
  const { properties } = tools.find(({ name }) => name === 'get_moments')!.inputSchema;
  expect(properties).toMatchObject({ category: { enum: expect.arrayContaining(['praise']) } });
  await client.close();
});

it('a row of the table is a name and an icon of the dashboard', async () => {
  const { Glyph, MOMENT_NAMES } = await import('../../src/dashboard/lib/speaker-marks.tsx');
  expect(MOMENT_NAMES).toMatchObject({ praise: 'Praise' });
  const icon = Glyph({ kind: 'praise' as never }) as { props: { children: { props: object }[] } };
  expect(icon.props.children.map(({ props }) => props)).toMatchObject([
    { d: PRAISE.icon[0]!.path, fill: 'currentColor' },
  ]);
});
