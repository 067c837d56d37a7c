import * as z from 'zod';

/** Length of the windows of a course, s. */
export const COURSE_WINDOW_S = { least: 0.5, most: 60, default: 1 } as const;

const unit = z.number().min(0).max(1);
const seconds = z.number().min(0);

export const CourseEntrySchema = z
  .object({
    t_start: seconds.describe('Start of the window, seconds from the start of the recording.'),
    t_end: seconds.describe('End of the window, seconds from the start of the recording.'),
    speaker: z.string(),
    speaker_label: z.string().optional().describe('As in the timeline.'),
    utterance_ids: z.array(z.string()).describe("The speaker's utterances in the window, which the values describe."),
    speech_s: seconds.describe('Seconds of the window that these utterances cover.'),
    overlap_s: seconds.describe('Seconds of these utterances in which somebody else also speaks.'),
    valence: unit
      .nullable()
      .describe('0 (unpleasant) to 1 (pleasant), 0.5 is neutral. Null without affect: `notes` say why.'),
    arousal: unit.nullable().describe('0 (calm) to 1 (excited), 0.5 is neutral. Null without affect: `notes` say why.'),
    affect_confidence: unit.nullable().describe('`emotion.confidence` of the utterances.'),
    pitch_hz: z.number().min(0).nullable().describe('Median pitch in Hz. Null if nothing is voiced, or not measured.'),
    pitch_confidence: unit.nullable().describe('`prosody.confidence` of the utterances: reliability of the pitch.'),
    level_db: z
      .number()
      .min(-60)
      .max(0)
      .nullable()
      .describe(
        'Level of the recording while the speaker speaks, dB re full scale; -60 means -60 or less. Null if no levels are stored.',
      ),
  })
  .meta({
    id: 'CourseEntry',
    description:
      'One speaker in one window. Affect and pitch are measured for an utterance as a whole, so windows within one utterance repeat its values; several utterances are averaged by their seconds in the window. The level is measured for the window itself.',
  });
export type CourseEntry = z.infer<typeof CourseEntrySchema>;

/** Response of GET /conversations/{id}/course. */
export const CourseSchema = z
  .object({
    conversation_id: z.string(),
    window_s: z.number().describe('Length of a window; the last one may be shorter.'),
    duration_s: seconds.describe('Length of the recording.'),
    notes: z.array(z.string()).describe('What is missing here, and why.'),
    course: z.array(CourseEntrySchema).describe('By time. A speaker has an entry only in windows in which they speak.'),
  })
  .meta({ id: 'Course', description: 'Affect, pitch and level over time.' });
export type Course = z.infer<typeof CourseSchema>;
