import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import * as z from 'zod';
import { SettingError } from '../../../../src/contract/settings.ts';
import { SAMPLE_RATE_HZ } from '../../audio/interval.ts';

const PROFILE_SETTING = 'ASR_PROFILE';
/**
 * The shortest limit that an engine must support (`RecogniserEngine`), and the longest up to which any Moonshine
 * transcribes well, s.
 */
const LONGEST_S = { least: 10, most: 30 };

const count = z.number().int().min(1).max(256);
const sha256 = z.string().regex(/^[0-9a-f]{64}$/i, 'must be 64 hexadecimal digits');

const FileSchema = z
  .strictObject({
    /** Path relative to the profile, or absolute. */
    file: z.string().min(1).optional(),
    url: z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional(),
    sha256,
  })
  .refine(({ file, url }) => (file === undefined) !== (url === undefined), 'must name either a file or a url');

/** An operator's description of a recogniser that is not built in. */
const ProfileSchema = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must consist of lower-case letters, digits and hyphens'),
  name: z.string().min(1).max(200),
  licence: z.string().min(1).max(200),
  languages: z.array(z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8}){0,3}$/, 'must be a language tag')).min(1),
  architecture: z.literal('moonshine'),
  sample_rate: z.literal(SAMPLE_RATE_HZ),
  tokenizer: z.literal('llama-2'),
  longest_s: z.number().min(LONGEST_S.least).max(LONGEST_S.most),
  encoder: FileSchema,
  decoder: FileSchema,
  decoder_shape: z.strictObject({ layers: count, heads: count, head_size: count, rotary: count.multipleOf(2) }),
});

/** A file of a model: its location and its digest. */
export interface ModelFile {
  /** A path or a URL. */
  at: { path: string } | { url: string };
  /** Lower case. */
  sha256: string;
}

export interface RecogniserProfile extends Pick<z.infer<typeof ProfileSchema>, 'id' | 'name' | 'languages'> {
  longestS: number;
  shape: { layers: number; heads: number; headSize: number; turning: number };
  encoder: ModelFile;
  decoder: ModelFile;
}

const known = new Map<string, RecogniserProfile>();

/**
 * The profile of a recogniser, read once.
 * @throws SettingError naming the invalid part
 */
export function readProfile(path: string): RecogniserProfile {
  const profile = known.get(path) ?? profileOf(path);
  known.set(path, profile);
  return profile;
}

function profileOf(path: string): RecogniserProfile {
  let json: unknown;
  try {
    json = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw unfit(cause instanceof SyntaxError ? `${path} is not JSON` : `${path} cannot be read`);
  }
  const read = ProfileSchema.safeParse(json);
  if (!read.success) {
    const { path: at, message } = read.error.issues[0]!;
    throw unfit(`${at.join('.') || '(root)'}: ${message}`);
  }
  const { id, name, languages, longest_s, decoder_shape, encoder, decoder } = read.data;
  const { layers, heads, head_size: headSize, rotary: turning } = decoder_shape;
  if (turning > headSize) throw unfit('decoder_shape.rotary: must not exceed head_size');
  const modelFile = ({ file, url, sha256 }: z.infer<typeof FileSchema>): ModelFile => ({
    at: url === undefined ? { path: isAbsolute(file!) ? file! : join(dirname(path), file!) } : { url },
    sha256: sha256.toLowerCase(),
  });
  const shape = { layers, heads, headSize, turning };
  return { id, name, languages, longestS: longest_s, shape, encoder: modelFile(encoder), decoder: modelFile(decoder) };
}

const unfit = (why: string) => new SettingError(PROFILE_SETTING, `be the path of a recogniser's profile (${why})`);
