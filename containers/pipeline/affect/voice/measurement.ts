import { type SpeakerBaseline, speakerBaseline } from '../../prosody/baseline.ts';
import { type Delivery, measureDelivery } from '../../prosody/delivery.ts';
import type { SourceAffect } from '../reading.ts';
import { readSound } from '../sources.ts';

/** The sound of an utterance. */
export interface VoiceTask {
  /** Mono, 16 kHz, full scale 1; with a little of what is around the words. */
  samples: Float32Array;
  text: string;
  /** What is usual for its speaker, or what was measured of them before: then this utterance counts among it. */
  usual: SpeakerBaseline | Delivery[];
  /** Whether affect is read in it; else it is only measured. */
  isRead: boolean;
}

/** What is heard in it. Plain data: it crosses threads. */
export interface MeasuredVoice {
  delivery: Delivery;
  baseline: SpeakerBaseline;
  readings: SourceAffect[];
}

/** Measures the sound of an utterance and, where that is wanted, reads affect in it. */
export async function measureVoice({ samples, text, usual, isRead }: VoiceTask): Promise<MeasuredVoice> {
  const delivery = measureDelivery(samples, Array.isArray(usual) ? {} : usual);
  const baseline = Array.isArray(usual) ? speakerBaseline([...usual, delivery]) : usual;
  return { delivery, baseline, readings: isRead ? await readSound({ samples, text, delivery, baseline }) : [] };
}
