import type { JsonSchema } from '../../src/openapi/operation.ts';

export async function pages(_document: JsonSchema): Promise<Map<string, string>> {
  return new Map([['docs/index.html', '<!doctype html><title>Undertone</title>']]);
}
