import { ServiceError } from '../../contract/errors.ts';
import { type AnalysisOptions, AnalysisOptionsSchema } from '../../contract/options.ts';
import type { PipelineOptions } from '../../contract/pipeline.ts';
import { firstFault } from '../http/validation.ts';
import { artifactPaths, conversationOf } from '../storage/keys.ts';
import type { AnalysisInput } from '../tenant/jobs/job.ts';

/**
 * The options of an upload's form, whose fields are text; a blank one was not given.
 * @throws ServiceError INVALID_REQUEST naming the first bad field
 */
export function optionsOfForm(fields: Record<string, string>): AnalysisOptions {
  const said = (name: string): string | undefined => (fields[name]?.trim() ? fields[name] : undefined);
  const speakers = said('speakers');
  const read = AnalysisOptionsSchema.safeParse({
    goal: fields.goal,
    speakers: speakers === undefined ? undefined : Number(speakers),
    recogniser: said('recogniser')?.trim(),
    quality: said('quality')?.trim(),
    words: wordsOfField(said('words')),
    language: said('language')?.trim(),
    affect: affectOfField(said('affect')?.trim()),
  });
  if (read.success) return read.data;
  throw new ServiceError('INVALID_REQUEST', firstFault(read.error.issues));
}

/** A JSON list. */
function wordsOfField(field: string | undefined): unknown {
  if (field === undefined) return undefined;
  try {
    return JSON.parse(field);
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'words: is no JSON list');
  }
}

/** A mode is a word, modes by speaker are a JSON object. */
function affectOfField(field: string | undefined): unknown {
  if (!field?.startsWith('{')) return field;
  try {
    return JSON.parse(field);
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'affect: is no JSON object');
  }
}

/**
 * What the pipeline is asked for, of a file and of a live session alike.
 * @param analysis a session may have been stored by a version with fewer options
 * @param material whether a language model waits
 */
export const pipelineOptions = (analysis: AnalysisInput, material: boolean): PipelineOptions => ({
  ...AnalysisOptionsSchema.parse(analysis),
  conversation_id: conversationOf(analysis.runId),
  suffix: analysis.suffix,
  ...artifactPaths(analysis.keys),
  material,
});
