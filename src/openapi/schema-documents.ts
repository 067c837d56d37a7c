import { EVENT_SCHEMAS } from '../contract/events.ts';
import { SERVICE_VERSION } from '../contract/version.ts';
import type { JsonSchema } from './operation.ts';
import { jsonSchemaOf, namedSchemas } from './schemas.ts';

const DEFS = '#/$defs/';

/** Standalone documents for those who read a stream or receive webhooks: JSON Schema, draft 2020-12. */
export const SCHEMA_DOCUMENTS: Readonly<Record<string, () => JsonSchema>> = {
  'events.json': () => ({
    ...documentOf('ServiceEvent', 'The events of a stream.'),
    'x-events': Object.fromEntries(
      Object.entries(EVENT_SCHEMAS).map(([event, schema]) => [event, jsonSchemaOf(schema, 'output', DEFS)]),
    ),
  }),
  'webhooks.json': () => documentOf('WebhookMessage', 'The messages to webhooks.'),
};

/** A schema with the schemas it refers to, and no others. */
function documentOf(name: 'ServiceEvent' | 'WebhookMessage', title: string): JsonSchema {
  const all = namedSchemas(DEFS);
  const $defs: Record<string, JsonSchema> = {};
  const take = (id: string): void => {
    if (id in $defs) return;
    $defs[id] = all[id]!;
    for (const [, next = ''] of JSON.stringify(all[id]).matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)) take(next);
  };
  take(name);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title,
    version: SERVICE_VERSION,
    $ref: DEFS + name,
    $defs,
  };
}
