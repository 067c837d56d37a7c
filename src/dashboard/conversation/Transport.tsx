import { useComputed } from '@preact/signals';
import { clock } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { NOT_PLAYABLE } from './recording.ts';
import type { PageState } from './state.ts';

/** Plays and pauses. Without a recording, a sign takes its place. */
export function PlayButton({ page: { player } }: { page: PageState }) {
  if (player.problem.value)
    return (
      <span class="pl off" title={NOT_PLAYABLE[player.problem.value]}>
        <Icon name="silent" size={18} />
      </span>
    );
  const playing = player.isPlaying.value;
  return (
    <button type="button" class="pl" aria-label={playing ? 'Pause' : 'Play'} onClick={() => player.toggle()}>
      <Icon name={playing ? 'pause' : 'play'} size={playing ? 16 : 18} />
    </button>
  );
}

/** Position and duration. Only this part changes during playback. */
export function Clock({ page }: { page: PageState }) {
  const { player, conversation } = page;
  const now = useComputed(() => clock(player.time.value));
  return (
    <div class="tm1 num">
      <span>{now}</span>
      <small>of {clock(conversation.duration)}</small>
    </div>
  );
}

/** Buttons that go to the previous and the next utterance. */
export function StepButtons({ page, kind, size }: { page: PageState; kind?: string; size: number }) {
  return (
    <>
      <button type="button" class={kind} aria-label="Previous utterance" onClick={() => page.player.back()}>
        <Icon name="previous" size={size} />
      </button>
      <button type="button" class={kind} aria-label="Next utterance" onClick={() => page.player.on()}>
        <Icon name="next" size={size} />
      </button>
    </>
  );
}

/**
 * Raises the speed with each click. After the highest speed, it starts again at the lowest. Without a recording, the
 * reason takes its place.
 */
export function RateButton({ page, kind }: { page: PageState; kind: string }) {
  const { player } = page;
  if (player.problem.value) return <span class="silent1">{NOT_PLAYABLE[player.problem.value]}</span>;
  return (
    <button
      type="button"
      class={kind}
      title="Speed"
      aria-label={`Speed ${player.rate.value}×`}
      onClick={() => (player.rate.value === 2 ? player.setRate(0.75) : player.faster(1))}
    >
      {player.rate.value}×
    </button>
  );
}
