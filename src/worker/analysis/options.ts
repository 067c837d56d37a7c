import { ServiceError } from '../../contract/errors.ts';
import { type AnalysisOptions, AnalysisOptionsSchema } from '../../contract/options.ts';
import type { PipelineOptions } from '../../contract/pipeline.ts';
import { firstFault } from '../http/validation.ts';
import { artifactPaths, conversationOf } from '../storage/keys.ts';
import type { AnalysisInput } from '../tenant/jobs/job.ts';

/** Text fields of the upload form. */
export const OPTION_FIELDS = Object.keys(AnalysisOptionsSchema.shape);

/**
 * Reads the options from an upload form, whose fields are text. A blank field counts as absent.
 * @throws ServiceError INVALID_REQUEST naming the first bad field
 */
export function optionsOfForm(fields: Record<string, string>): AnalysisOptions {
  const given = (name: string): string | undefined => (fields[name]?.trim() ? fields[name] : undefined);
  const speakers = given('speakers');
  const read = AnalysisOptionsSchema.safeParse({
    goal: fields.goal,
    speakers: speakers === undefined ? undefined : Number(speakers),
    recogniser: given('recogniser')?.trim(),
    quality: given('quality')?.trim(),
    words: listOfField('words', given('words')),
    language: given('language')?.trim(),
    roles: listOfField('roles', given('roles')),
    redact: redactOfField(given('redact')?.trim()),
    affect: affectOfField(given('affect')?.trim()),
    recorded_at: given('recorded_at')?.trim(),
    time_zone: given('time_zone')?.trim(),
  });
  if (read.success) return read.data;
  throw new ServiceError('INVALID_REQUEST', firstFault(read.error.issues));
}

/** A field with a JSON list. */
function listOfField(name: string, field: string | undefined): unknown {
  if (field === undefined) return undefined;
  try {
    return JSON.parse(field);
  } catch {
    throw new ServiceError('INVALID_REQUEST', `${name}: must be a JSON list`);
  }
}

/** `redact` is a JSON list, or names separated by commas. */
const redactOfField = (field: string | undefined): unknown =>
  field?.startsWith('[') ? listOfField('redact', field) : field?.split(',').map((kind) => kind.trim());

/** `affect` is a mode, or a JSON object with a mode for each speaker. */
function affectOfField(field: string | undefined): unknown {
  if (!field?.startsWith('{')) return field;
  try {
    return JSON.parse(field);
  } catch {
    throw new ServiceError('INVALID_REQUEST', 'affect: must be a JSON object');
  }
}

/**
 * The options sent to the pipeline for a file or a live session.
 * @param analysis possibly from a session that an older version stored with fewer options
 * @param material whether a language model needs the material
 */
export const pipelineOptions = (analysis: AnalysisInput, material: boolean): PipelineOptions => ({
  ...AnalysisOptionsSchema.parse(analysis),
  conversation_id: conversationOf(analysis.runId),
  suffix: analysis.suffix,
  ...artifactPaths(analysis.keys),
  material,
  captured: analysis.captured,
  ...(analysis.texts && { texts: analysis.texts }),
  ...(analysis.keepsOriginal && { keep_original: true }),
});
