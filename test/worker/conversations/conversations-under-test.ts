import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { runBackup } from '../../../scripts/deploy/backup.ts';
import type { AnalysisResponse } from '../../../src/contract/analysis.ts';
import {
  type ConversationEntry,
  ConversationListSchema,
  type ConversationRecordBody,
  ConversationRecordSchema,
  type Edit,
} from '../../../src/contract/conversations.ts';
import { sayEverything } from '../../../support/fake-pipeline.ts';
import { ADMIN_TOKEN, form, KEY, startService, type TestService } from '../../../support/service-under-test.ts';
import { EXTENDED } from '../../../support/worker.ts';

// The service under test, with requests for conversations. Each test file calls `runService` once.

export const MEDIA = 'RIFF, some bytes, WAVE, and so on';

export type Rows = Record<string, Record<string, unknown>[]>;
interface Objects {
  TENANT: {
    get(id: unknown): {
      dump(): Promise<Rows>;
      loseCatalogue(): Promise<void>;
      loseEverything(): Promise<void>;
      live(id: string, media: string, isOver: boolean): Promise<void>;
      workflow(id: string): Promise<string | null>;
    };
    idFromName(name: string): unknown;
  };
}

export let service: TestService;

/** Runs it for the tests of the file that calls this. */
export function runService(settings: Record<string, string> = {}): void {
  beforeAll(async () => {
    service = await startService(settings, '', EXTENDED);
  });
  afterAll(() => service.stop());
  afterEach(() => {
    service.pipeline.answer = sayEverything;
  });
}

interface Answer<T> {
  status: number;
  headers: Headers;
  text: string;
  body: T;
}
const JSON_TYPE = { 'Content-Type': 'application/json' };
export async function ask<T>(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer<T>> {
  const answer = await fetch(new URL(path, service.url), {
    method,
    headers: { 'X-API-Key': KEY, ...(body !== undefined && JSON_TYPE), ...headers },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('Content-Type') === 'application/json' && text !== '';
  return { status: answer.status, headers: answer.headers, text, body: (isJson ? JSON.parse(text) : null) as T };
}
export const get = <T = unknown>(path: string, headers?: Record<string, string>) =>
  ask<T>('GET', path, undefined, headers);
export const of = (id: string, what = '') => `/conversations/${id}${what}`;
export const shown = async (id: string): Promise<AnalysisResponse> => (await get<AnalysisResponse>(of(id))).body;

export async function analysed(filename = 'A call.wav', fields: Record<string, string> = {}, key = KEY) {
  const answer = await service.post('/analyze', form(filename, MEDIA, fields), { 'X-API-Key': key });
  const text = await answer.text();
  expect(answer.status, text).toBe(200);
  const result = JSON.parse(text) as AnalysisResponse;
  const [tenant = ''] = result.artifact_dir.split('/');
  return { id: result.conversation_id, text, result, tenant };
}
export async function listed(query = '', key = KEY): Promise<ConversationEntry[]> {
  const { body } = await get(`/conversations${query}`, { 'X-API-Key': key });
  return ConversationListSchema.parse(body).conversations;
}
export async function changed(method: string, path: string, body?: object): Promise<ConversationRecordBody> {
  const answer = await ask(method, path, body);
  expect(answer.status, answer.text).toBe(200);
  return ConversationRecordSchema.parse(answer.body);
}
export const edited = (id: string, edit: Edit) => changed('PATCH', of(id), edit);
export const undone = (id: string) => changed('POST', of(id, '/undo'));
export const tenantObject = async (tenant: string) => {
  const { TENANT } = await service.harness.getWorker<Objects>().getEnv();
  return TENANT.get(TENANT.idFromName(tenant));
};

/** Loses the rows of a tenant and brings back those of the last backup. */
export async function restored(tenant: string): Promise<void> {
  await (await tenantObject(tenant)).loseEverything().catch(() => undefined);
  await backedUp('restore');
}

/** Makes a backup, or brings back what is missing from it. */
export const backedUp = (route: 'backup' | 'restore' = 'backup') =>
  runBackup(route, { url: String(service.url), adminToken: ADMIN_TOKEN });

/** Rebuilds the catalogue of a tenant from the store. */
export async function reindexed(tenant: string): Promise<void> {
  for (let cursor = ''; ; ) {
    const page = await service.admin('POST', `/tenants/${tenant}/reindex?cursor=${cursor}`);
    const { next_cursor } = (await page.json()) as { next_cursor: string | null };
    if (next_cursor === null) return;
    cursor = next_cursor;
  }
}
