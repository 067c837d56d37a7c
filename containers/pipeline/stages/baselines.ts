import type { Interval } from '../audio/interval.ts';
import { SAMPLE_RATE_HZ } from '../audio/interval.ts';
import type { Channel } from '../audio/pcm-spool.ts';
import { type SpeakerBaseline, speakerBaseline } from '../prosody/baseline.ts';
import type { Layout, RecordingStages } from './recording.ts';

/** Speech measured for each speaker: eight excerpts spread over the recording, about 20 s in total. */
const EXCERPTS = 8;
const STRETCH_S = 2.5;
/** Shorter excerpts do not show a speaker's typical delivery, s. */
const SHORTEST_EXCERPT_S = 0.8;

/** Excerpts of a speaker's turns, evenly spread over their speech. */
function sampledExcerpts(turns: Interval[]): Interval[] {
  const long = turns.filter(({ start, end }) => end - start >= SHORTEST_EXCERPT_S);
  const chosen = long.length <= EXCERPTS ? long : Array.from({ length: EXCERPTS }, (_, i) => pick(long, i));
  return chosen.map(({ start, end }) => {
    const spare = Math.max(0, end - start - STRETCH_S) / 2;
    return { start: start + spare, end: end - spare };
  });
}

const pick = <T>(all: T[], i: number): T => all[Math.floor(((i + 0.5) * all.length) / EXCERPTS)]!;

/** The baseline of each speaker of a recording, by speaker number. @param known baselines of the first speakers, which stay */
export async function speakerBaselines(
  recording: Pick<RecordingStages, 'run' | 'spool'>,
  layout: Layout,
  known: readonly SpeakerBaseline[] = [],
): Promise<SpeakerBaseline[]> {
  const { turns } = layout.diarization;
  const speakers = turns.reduce((most, { speaker }) => Math.max(most, speaker + 1), 0);
  return Promise.all(
    Array.from({ length: speakers }, async (_, speaker) => {
      if (known[speaker]) return known[speaker];
      const channel = channelOfSpeaker(layout, speaker);
      const own = turns.filter((turn) => turn.speaker === speaker);
      const measured = await Promise.all(
        sampledExcerpts(own).map(({ start, end }) =>
          // An excerpt that cannot be measured is left out. The next stage checks the signal if the analysis was
          // aborted.
          recording
            .run('delivery', {
              location: recording.spool.location,
              channel,
              start: start * SAMPLE_RATE_HZ,
              end: end * SAMPLE_RATE_HZ,
            })
            .catch(() => null),
        ),
      );
      return speakerBaseline(measured.filter((delivery) => delivery !== null));
    }),
  );
}

/** The channel of a speaker, if each channel carries one person. */
export const channelOfSpeaker = ({ segments, speakerPerChannel }: Layout, speaker: number): Channel =>
  speakerPerChannel ? (segments.find((segment) => segment.speaker === speaker)?.channel ?? 'mix') : 'mix';
