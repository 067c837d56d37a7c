import { openAsBlob, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnalysisResponse } from '../../src/contract/analysis.ts';
import { ROOT } from '../start/command.ts';

// `npm run generate -- docs-example`: replaces the example analysis in the OpenAPI document with one from a running
// service. Run it again when an analysis gains a field.

const [url = 'http://localhost:8787', key = process.env.UNDERTONE_API_KEY ?? ''] = process.argv.slice(2);

/** Shortens the lists, because the example shows the fields rather than the amount of data. */
function cut(analysis: AnalysisResponse): AnalysisResponse {
  const { timeline, agent_results, moments, summary } = analysis;
  return {
    ...analysis,
    timeline: timeline.slice(0, 2).map((entry) => ({ ...entry, words: entry.words.slice(0, 3) })),
    agent_results: agent_results.slice(0, 1),
    moments: moments.slice(0, 2),
    summary: { ...summary, evidence: summary.evidence.slice(0, 2) },
  };
}

const form = new FormData();
form.set('file', await openAsBlob(join(ROOT, 'test/fixtures/call.wav')), 'call.wav');
const answer = await fetch(new URL('/analyze', url), { method: 'POST', headers: { 'X-API-Key': key }, body: form });
if (!answer.ok) throw new Error(await answer.text());
const example = cut((await answer.json()) as AnalysisResponse);
writeFileSync(join(ROOT, 'src/openapi/example-analysis.json'), `${JSON.stringify(example, null, 1)}\n`);
