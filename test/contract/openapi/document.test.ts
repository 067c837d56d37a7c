import { readdirSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { ACCESS } from '../../../src/contract/access.ts';
import { ERROR_CODES } from '../../../src/contract/errors.ts';
import { EVENT_NAMES } from '../../../src/contract/event-names.ts';
import { AnalysisOptionsSchema } from '../../../src/contract/options.ts';
import { DESCRIPTIONS, openApiDocument } from '../../../src/openapi/document.ts';
import { SCHEMA_DOCUMENTS } from '../../../src/openapi/schema-documents.ts';
import { app } from '../../../src/worker/app.ts';
import { examplesIn, operationsOf, Reader } from '../../../support/openapi/reader.ts';

const document = JSON.parse(JSON.stringify(openApiDocument()));

it('is a valid document of OpenAPI 3.1', async () => {
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect([valid, validator.version]).toEqual([true, '3.1']);
});

it('a broken document fails the same validator', async () => {
  const broken = structuredClone(document);
  broken.paths['/health'].get.responses = { 200: {} };
  expect((await new Validator().validate(broken)).valid).toBe(false);
});

it('describes every route of the Worker, and no others', async () => {
  const routes = app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
  expect(Object.keys(DESCRIPTIONS).sort()).toEqual([...new Set(routes)].sort());
  expect(Object.keys(DESCRIPTIONS).sort()).toEqual(Object.keys(ACCESS).sort());
  const described = operationsOf(document).map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`);
  expect(described.sort()).toEqual([...new Set(routes)].sort());
});

it('names every path parameter, has unique operation ids, and no dangling references', () => {
  const operations = operationsOf(document);
  const ids = operations.map(({ operation }) => operation.operationId);
  expect(new Set(ids).size).toBe(ids.length);
  for (const { path, operation } of operations) {
    const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const refs = JSON.stringify(operation.parameters ?? []);
    for (const name of named) expect(refs).toContain(`#/components/parameters/${name}"`);
  }
  const reader = new Reader(document);
  for (const [, ref = ''] of JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g))
    expect(reader.resolve(ref), ref).toBeDefined();
});

it('has every named schema of the contract, every error and every event', async () => {
  const contract = new URL('../../../src/contract/', import.meta.url);
  const before = Object.keys(document.components.schemas);
  // A schema in a file that the document does not load would be missing.
  for (const file of readdirSync(contract)) if (file.endsWith('.ts')) await import(new URL(file, contract).pathname);
  expect(Object.keys(openApiDocument().components as { schemas: object })).toBeDefined();
  const after = Object.keys((openApiDocument() as typeof document).components.schemas);
  expect(before).toEqual(after);
  expect(document.components.schemas.ErrorCode.enum).toEqual(ERROR_CODES);
  const events = document.components.schemas.ServiceEvent.oneOf.map(
    (one: { properties: { event: { const: string } } }) => one.properties.event.const,
  );
  expect(events).toEqual(EVENT_NAMES);
  // Every code is an error of some route, except those of unsupported methods and foreign hosts and those of live events.
  const told = JSON.stringify(document.paths);
  const untold = ERROR_CODES.filter((code) => !told.includes(`"${code}"`));
  expect(untold).toEqual(['METHOD_NOT_ALLOWED', 'WRONG_HOST', 'LIVE_ASR_FAILURE', 'STREAM_FAILURE']);
});

it('has examples that match their schemas', () => {
  const reader = new Reader(document);
  const examples = examplesIn(document);
  expect(examples.length).toBeGreaterThan(100);
  for (const { place, schema, example } of examples) expect(reader.faults(schema, example), place).toEqual([]);
});

it('has every option of an analysis in the form of an upload', () => {
  const { schema } = document.paths['/analyze'].post.requestBody.content['multipart/form-data'];
  expect(Object.keys(schema.properties).sort()).toEqual(['file', ...Object.keys(AnalysisOptionsSchema.shape)].sort());
});

it('suits generators of clients: one type of request body, no default in one, no part of a JSON body', () => {
  const requests = operationsOf(document).filter(({ operation }) => operation.requestBody || operation.parameters);
  const reader = new Reader(document);
  const seen = new Set<string>();
  const look = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref: ref } = value as { $ref?: string };
    if (ref !== undefined && !seen.has(ref)) {
      seen.add(ref);
      look(reader.resolve(ref), ref);
    }
    expect(Object.keys(value), place).not.toContain('default');
    for (const [name, member] of Object.entries(value))
      if (!name.startsWith('example')) look(member, `${place}/${name}`);
  };
  for (const { method, path, operation } of requests) {
    expect(Object.keys(operation.requestBody?.content ?? { one: {} }), path).toHaveLength(1);
    look([operation.requestBody, operation.parameters], `${method} ${path}`);
  }
  expect(seen.size).toBeGreaterThan(20);
  const parts = operationsOf(document).flatMap(({ operation }) =>
    Object.keys(operation.responses['206']?.content ?? {}),
  );
  expect(parts.length).toBeGreaterThan(5);
  expect(parts).not.toContain('application/json');
});

it('has an example of every request body and every JSON response, except of itself', () => {
  const lacking = operationsOf(document).flatMap(({ method, path, operation }) => {
    const contents = [operation.requestBody?.content, operation.responses['200']?.content];
    return contents
      .filter((content) => content?.['application/json'] && content['application/json'].example === undefined)
      .map(() => `${method} ${path}`);
  });
  expect(lacking).toEqual(['GET /conversations/{conversation_id}/export', 'GET /openapi.json']);
});

it.each(Object.entries(SCHEMA_DOCUMENTS))('/schemas/%s is a schema that stands alone', (name, make) => {
  const schema = JSON.parse(JSON.stringify(make()));
  const reader = new Reader(schema);
  const event = { event: 'done', data: { conversation_id: 'c' } };
  const message = { type: 'analysis.completed', timestamp: '2026-11-22T12:00:00Z', data: { conversation_id: 'c' } };
  const [good, bad] = name === 'events.json' ? [event, message] : [message, event];
  expect(reader.faults(schema, good)).toEqual([]);
  expect(reader.faults(schema, bad)).not.toEqual([]);
});
