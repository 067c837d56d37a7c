import type { ExportFormat } from './exported.ts';

/** The whole result, as `GET /conversations/{id}` returns it. */
export const json: ExportFormat = { extension: '.json', contentType: 'application/json' };
