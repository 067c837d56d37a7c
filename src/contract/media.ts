import * as z from 'zod';

/** Extensions of uploaded files: the seven of the specification (Supported media file extensions), and three more. */
export const UPLOAD_EXTENSIONS = [
  '.mp4',
  '.mov',
  '.webm',
  '.mp3',
  '.wav',
  '.m4a',
  '.aac',
  '.flac',
  '.ogg',
  '.opus',
] as const;
export type UploadExtension = (typeof UPLOAD_EXTENSIONS)[number];

/** Extensions of live byte streams (decisions: validation of `suffix`). */
export const LIVE_EXTENSIONS = [
  '.mp4',
  '.mov',
  '.webm',
  '.mp3',
  '.wav',
  '.m4a',
  '.aac',
  '.ogg',
  '.opus',
  '.pcm',
] as const;
export const LiveExtensionSchema = z.enum(LIVE_EXTENSIONS).meta({
  id: 'LiveExtension',
  description: 'The format of a live byte stream; `.pcm` is s16le 16 kHz mono.',
});

export const MediaExtensionSchema = z.enum([...UPLOAD_EXTENSIONS, '.pcm']).meta({
  id: 'MediaExtension',
  description: 'The format of a file or a byte stream; `.pcm` is s16le 16 kHz mono.',
});
export type MediaExtension = z.infer<typeof MediaExtensionSchema>;

/** The lower-case extension of a file name including its dot, or '' if it has none. */
export function extensionOf(filename: string): string {
  const dot = filename.lastIndexOf('.');
  return dot < 0 ? '' : filename.slice(dot).toLowerCase();
}

export const MediaInfoSchema = z
  .object({
    duration_s: z.number().min(0).describe('Seconds.'),
    channels: z.number().int().min(1),
    sample_rate: z.number().int().min(1).optional().describe('Hz.'),
    codec: z.string().optional(),
    speaker_per_channel: z
      .boolean()
      .describe('Whether each channel carries one person, in which case speakers are labelled by channel.'),
    silent_channel: z
      .number()
      .int()
      .min(0)
      .max(1)
      .optional()
      .describe('The channel of a stereo recording, 0 or 1, that is silent throughout; absent if there is none.'),
  })
  .meta({ id: 'MediaInfo', description: 'What the decoder found in the media.' });
export type MediaInfo = z.infer<typeof MediaInfoSchema>;

export const SpeakerCountSchema = z
  .object({
    count: z.number().int().min(0).max(8),
    confidence: z.number().min(0).max(1),
    source: z.enum(['given', 'channels', 'estimated']).describe('How the count was determined.'),
    note: z.string().optional().describe('A human-readable note if the confidence is low.'),
  })
  .meta({ id: 'SpeakerCount', description: 'The number of speakers, and its confidence.' });
export type SpeakerCount = z.infer<typeof SpeakerCountSchema>;

/** Number of levels per second and channel of a recording. */
export const LEVELS_PER_SECOND = 20;

/** Response of GET /conversations/{id}/levels: loudness over time, for a waveform. */
export const LevelsSchema = z
  .object({
    rate: z.number().int().min(1).describe('Levels per second.'),
    channels: z
      .array(z.base64())
      .max(2)
      .describe('One byte per level: 0 for -60 dB re full scale and below, 255 for full scale, linear in dB between.'),
  })
  .meta({ id: 'Levels' });
export type Levels = z.infer<typeof LevelsSchema>;
