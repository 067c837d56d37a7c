import { createReadStream } from 'node:fs';
import { AnalysisOutput } from '../../containers/pipeline/analysis-output.ts';
import { analyse } from '../../containers/pipeline/pipeline.ts';
import type { WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { type AnalysisResponse, AnalysisResponseSchema } from '../../src/contract/analysis.ts';
import { OPTIONS } from '../../support/pipeline-server.ts';
import { fixturePath } from '../../support/recordings.ts';

/** The fast transcription also finds foreign speech, and recordings in which nobody talks to anybody. */
const FAST = { ...OPTIONS, quality: 'fast' } as const;

/** The result of a fixture. */
export async function resultOf(file: string, pool: WorkerPool): Promise<AnalysisResponse> {
  const output = new AnalysisOutput({ ...FAST, live: false });
  for await (const line of analyse(createReadStream(fixturePath(file)), { options: FAST }, pool)) output.take(line);
  const { parts } = output.documents!.find(({ name }) => name === 'result.json')!;
  return AnalysisResponseSchema.parse(JSON.parse(Buffer.concat(parts.map(({ bytes }) => bytes)).toString()));
}
