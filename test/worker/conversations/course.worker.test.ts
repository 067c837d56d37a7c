import { expect, it } from 'vitest';
import { type Course, CourseSchema } from '../../../src/contract/course.ts';
import { linesOf, write } from '../../../support/fake-pipeline.ts';
import { analysed, ask, edited, get, of, runService, service, shown, undone } from './conversations-under-test.ts';

runService();

const courseOf = async (id: string, query = ''): Promise<Course> => {
  const answer = await get(of(id, `/course${query}`));
  expect(answer.status, answer.text).toBe(200);
  expect(answer.headers.get('Cache-Control')).toBe('private, no-cache');
  return CourseSchema.parse(answer.body);
};

it('follows the stored result and levels, in windows of a second or as long as asked', async () => {
  const { id } = await analysed();
  const { timeline, media } = await shown(id);
  const course = await courseOf(id);
  expect(course).toMatchObject({ conversation_id: id, window_s: 1, duration_s: media.duration_s, notes: [] });
  expect(course.course).toHaveLength(2 * timeline.length);
  const { pad_scores, emotion } = timeline[0]!;
  expect(course.course[0]).toEqual({
    t_start: 0,
    t_end: 1,
    speaker: 'Speaker_0',
    utterance_ids: [`${id}_utt_0`],
    speech_s: 1,
    overlap_s: 0,
    valence: pad_scores!.valence,
    arousal: pad_scores!.arousal,
    affect_confidence: emotion!.confidence,
    pitch_hz: null,
    pitch_confidence: null,
    level_db: -29.8824,
  });
  expect((await courseOf(id, '?window=2')).course).toHaveLength(timeline.length);
  for (const query of ['?window=0.4', '?window=61', '?window=', '?window=1s', '?windows=1'])
    expect((await get<{ code: string }>(of(id, `/course${query}`))).body.code, query).toBe('INVALID_REQUEST');
});

it('has the names and speakers of the edits, until they are undone, and is gone with the conversation', async () => {
  const { id } = await analysed();
  const speakers = async () => new Set((await courseOf(id)).course.map(({ speaker }) => speaker));
  await edited(id, { speakers: { Speaker_0: 'Ann' } });
  expect(await speakers()).toEqual(new Set(['Ann', 'Speaker_1']));
  expect((await courseOf(id)).course[0]).toMatchObject({ speaker: 'Ann', speaker_label: 'Speaker_0' });
  await edited(id, { merge: [['Speaker_1', 'Speaker_0']] });
  expect(await speakers()).toEqual(new Set(['Ann']));
  await undone(id);
  await undone(id);
  expect(await speakers()).toEqual(new Set(['Speaker_0', 'Speaker_1']));
  await ask('DELETE', of(id));
  expect((await get(of(id, '/course'))).status).toBe(404);
});

it('does not have affect that was switched off', async () => {
  service.pipeline.answer = (response, { options }) => {
    const lines = linesOf(options.conversation_id).map((line) =>
      line.type === 'utterance' && line.entry.speaker === 'Speaker_1'
        ? { ...line, entry: { ...line.entry, pad_scores: null, emotion: null } }
        : line,
    );
    write(response, lines);
    response.end();
  };
  const { id } = await analysed();
  const { course, notes } = await courseOf(id);
  expect(notes).toEqual(['Affect is switched off or hidden for Speaker_1: valence and arousal are null there.']);
  for (const { speaker, valence, arousal, affect_confidence, level_db } of course) {
    expect([valence, arousal, affect_confidence].every((value) => value === null)).toBe(speaker === 'Speaker_1');
    expect(level_db).not.toBeNull();
  }
});
