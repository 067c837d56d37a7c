import { ServiceError } from '../../src/contract/errors.ts';
import { LONGEST_OPTIONS, type PipelineOptions, PipelineOptionsSchema } from '../../src/contract/pipeline.ts';

/**
 * Splits a body into its line of options and the media after it.
 * @returns `prefix`, the size of the line in bytes. @throws ServiceError INVALID_REQUEST naming the first invalid
 * option
 */
export async function optionsAndMedia(
  request: AsyncIterable<Buffer>,
): Promise<{ options: PipelineOptions; media: AsyncIterable<Uint8Array>; prefix: number }> {
  const chunks: AsyncIterator<Buffer> = request[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  let end = -1;
  while (end < 0) {
    const next = await chunks.next();
    if (next.done || head.length > LONGEST_OPTIONS)
      throw new ServiceError('INVALID_REQUEST', 'The options are missing');
    head = Buffer.concat([head, next.value]);
    end = head.indexOf('\n');
  }
  const read = PipelineOptionsSchema.safeParse(jsonOrNull(head.toString('utf8', 0, end)));
  if (!read.success) {
    const issue = read.error.issues[0];
    throw new ServiceError('INVALID_REQUEST', `${issue?.path.join('.')}: ${issue?.message}`);
  }
  const rest = head.subarray(end + 1);
  async function* media(): AsyncGenerator<Uint8Array> {
    if (rest.length > 0) yield rest;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { options: read.data, media: media(), prefix: end + 1 };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
