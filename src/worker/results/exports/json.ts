import type { ExportFormat } from './exported.ts';

/** The whole result, as `GET /conversations/{id}` answers it. */
export const json: ExportFormat = { extension: '.json', contentType: 'application/json' };
