import { type SpeakerBaseline, speakerBaseline } from '../prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';
import type { SourceAffect } from './reading.ts';
import { readSound } from './sources.ts';

/** The audio of an utterance. */
export interface VoiceTask {
  /** Mono, 16 kHz, full scale 1, with a little audio on either side of the words. */
  samples: Float32Array;
  text: string;
  /** The speaker's baseline, or the deliveries measured so far with this utterance added to them. */
  usual: SpeakerBaseline | Delivery[];
  /** Whether affect is read from the voice. If not, the voice is only measured. */
  isRead: boolean;
}

/** The measures of a voice. Plain data, because they are sent between threads. */
export interface MeasuredVoice {
  delivery: Delivery;
  baseline: SpeakerBaseline;
  readings: SourceAffect[];
}

/** Measures the audio of an utterance and, if requested, reads affect from it. */
export async function measureVoice({ samples, text, usual, isRead }: VoiceTask): Promise<MeasuredVoice> {
  const delivery = measureDelivery(samples, Array.isArray(usual) ? {} : usual);
  const baseline = Array.isArray(usual) ? speakerBaseline([...usual, delivery]) : usual;
  return { delivery, baseline, readings: isRead ? await readSound({ samples, text, delivery, baseline }) : [] };
}
