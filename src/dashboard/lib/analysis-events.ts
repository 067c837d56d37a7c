import { computed, signal } from '@preact/signals';
import type { MomentEvent, PartialTranscript, ServiceEvent, TransitionEvent } from '../../sdk/wire.ts';

/** An utterance as it arrives during an analysis. Times are in seconds, shares from 0 to 1. */
export interface AnalysisLine {
  id: string;
  speaker: number;
  start: number;
  end: number;
  text: string;
  /** Undefined until it arrives, and when affect is switched off. */
  tone: { valence: number; arousal: number } | undefined;
}

/** The state of an analysis, built from its events. */
export function createAnalysisEvents() {
  const lines = signal<readonly AnalysisLine[]>([]);
  const speakers = signal<readonly string[]>([]);
  const moments = signal<readonly MomentEvent[]>([]);
  const shift = signal<TransitionEvent | undefined>(undefined);
  /** Interim text: the words being spoken now. */
  const partial = signal<PartialTranscript | undefined>(undefined);
  const phase = signal<string>('');
  const progress = signal(0);
  const isSummed = signal(false);
  const doneId = signal<string | undefined>(undefined);
  /** Index of each utterance in `lines`. */
  const places = new Map<string, number>();

  /** Moments, by the id of their first utterance. */
  const momentsByLine = computed(() => Map.groupBy(moments.value, ({ utterance_ids: [first] }) => first));

  const placed = (next: AnalysisLine): void => {
    const at = places.get(next.id);
    if (at === undefined) {
      places.set(next.id, lines.peek().length);
      lines.value = [...lines.peek(), next];
    } else lines.value = lines.peek().with(at, next);
  };
  const indexOf = (label: string): number => {
    const known = speakers.peek().indexOf(label);
    if (known >= 0) return known;
    speakers.value = [...speakers.peek(), label];
    return speakers.peek().length - 1;
  };

  return {
    lines,
    speakers,
    moments,
    shift,
    partial,
    phase,
    progress,
    isSummed,
    doneId,
    momentsByLine,
    take(told: ServiceEvent): void {
      const { event, data } = told;
      if (event === 'status') {
        phase.value = data.phase;
        progress.value = data.progress;
      } else if (event === 'partial_transcript') partial.value = data.is_final || data.text === '' ? undefined : data;
      else if (event === 'final_transcript') {
        const { utterance_id: id, speaker, t_start: start, t_end: end, text } = data;
        if (data.partial_id === partial.peek()?.partial_id) partial.value = undefined;
        const before = lines.peek()[places.get(id) ?? -1];
        placed({ id, speaker: indexOf(speaker), start, end, text, tone: before?.tone });
      } else if (event === 'emotion') {
        const line = lines.peek()[places.get(data.utterance_id) ?? -1];
        if (line) placed({ ...line, tone: data.scores });
      } else if (event === 'moment') {
        const others = moments.peek().filter(({ moment_id }) => moment_id !== data.moment_id);
        moments.value = [...others, data];
      } else if (event === 'transition') shift.value = data;
      else if (event === 'summary_update') isSummed.value = true;
      else if (event === 'done') doneId.value = data.conversation_id;
    },
  };
}

export type AnalysisEvents = ReturnType<typeof createAnalysisEvents>;
