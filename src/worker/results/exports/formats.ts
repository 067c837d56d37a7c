import type { ExportName } from '../../../contract/queries.ts';
import { csv } from './csv.ts';
import type { ExportFormat } from './exported.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { md } from './md.ts';
import { srt } from './srt.ts';
import { txt } from './txt.ts';
import { vtt } from './vtt.ts';

/** Every format of `GET /conversations/{id}/export?format=`. */
export const EXPORTS = { json, txt, md, srt, vtt, csv, html } as const satisfies Record<ExportName, ExportFormat>;
