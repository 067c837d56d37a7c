import { type SpeakerBaseline, speakerBaseline } from '../prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../prosody/delivery.ts';
import type { AffectReading } from './reading.ts';
import { readSound } from './sources.ts';

/** The sound of an utterance. */
export interface VoiceTask {
  /** Mono, 16 kHz, full scale 1; with a little of what is around the words. */
  samples: Float32Array;
  text: string;
  /** What is usual for its speaker, or what was measured of them before: then this utterance counts among it. */
  usual: SpeakerBaseline | Delivery[];
}

/** What is heard in it. Plain data: it crosses threads. */
export interface HeardVoice {
  delivery: Delivery;
  baseline: SpeakerBaseline;
  readings: AffectReading[];
}

/** Measures the sound of an utterance and reads affect in it. */
export async function hearVoice({ samples, text, usual }: VoiceTask): Promise<HeardVoice> {
  const delivery = measureDelivery(samples, Array.isArray(usual) ? {} : usual);
  const baseline = Array.isArray(usual) ? speakerBaseline([...usual, delivery]) : usual;
  return { delivery, baseline, readings: await readSound({ samples, text, delivery, baseline }) };
}
