import type { AffectMode } from '../../../src/contract/options.ts';
import type { EmotionResult, Prosody, TimelineEntry } from '../../../src/contract/timeline-entry.ts';
import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';
import { type DeliveryDescription, describeDelivery } from '../prosody/description.ts';
import { prosodyFields } from '../prosody/prosody-fields.ts';
import { largestOf } from './joining.ts';
import { type LexicalReading, readLexical } from './text/lexical.ts';
import type { UtteranceInput } from './utterance.ts';
import { NOTHING_READ, readAffect } from './utterance-affect.ts';
import { impressionOf, type VoiceImpression } from './voice/impression.ts';
import { type VoiceMarkers, voiceMarkers } from './voice/markers.ts';

const UNMEASURED: DeliveryDescription = {
  prosody_desc: 'The audio of this utterance could not be measured.',
  acoustic_insights: [],
  hesitation_patterns: [],
  emphasis_points: [],
};
const UNMEASURED_IMPRESSION: VoiceImpression = {
  acoustic_reasoning: 'Based on the words alone: the audio of this utterance could not be measured.',
  delivery_style: 'not measured',
};
const ONLY_WORDS: VoiceImpression = {
  acoustic_reasoning: 'Based on the words alone, as requested.',
  delivery_style: 'not judged',
};

/**
 * The voice's measures as they are sent, their description, and the impression the voice makes on a listener.
 * @param markers null when affect is not read from the voice
 */
function readVoice(input: UtteranceInput, lexical: LexicalReading, markers: VoiceMarkers | null) {
  const { voice, affect } = input;
  if (voice === null)
    return { prosody: {}, described: UNMEASURED, impression: unlessWithheld(affect, UNMEASURED_IMPRESSION) };
  const { delivery, baseline } = voice;
  const measured = prosodyFields(delivery, baseline, input.pauseBeforeMs, markers);
  // The measured audio extends a little beyond the words on either side, while the reported duration is the
  // utterance's.
  const prosody: Prosody = { ...measured, duration: rounded(rounded(input.tEnd) - rounded(input.tStart)) };
  const described = describeDelivery(
    {
      prosody: measured,
      seconds: prosody.duration,
      words: input.words,
      lexical: lexical.markers,
      emphasisAt: delivery.emphasisAt.map((at) => input.tStart + at),
    },
    input.language,
  );
  const impression = markers
    ? impressionOf(measured, markers.commitment_markers, lexical.markers, input.language, prosody.duration)
    : unlessWithheld(affect, ONLY_WORDS);
  return { prosody, described, impression };
}

const unlessWithheld = (affect: AffectMode, impression: VoiceImpression) =>
  affect === 'none' ? { acoustic_reasoning: null, delivery_style: null } : impression;

/** The reasoning, which also says whether the words or the voice decided the emotion when both were read. */
function withDecision(reasoning: string | null, emotion: EmotionResult | null): string | null {
  if (reasoning === null || !emotion?.voice) return reasoning;
  const dominant = largestOf(emotion.emotion);
  const decision =
    emotion.decided_by === 'voice'
      ? `The voice stands out and suggests the emotion: ${dominant}; the words alone suggest ${largestOf(emotion.words.emotion)}.`
      : `The words, more than the voice, suggest the emotion: ${dominant}.`;
  return `${reasoning} ${decision}`;
}

/**
 * Measures everything that can be derived from the words and audio of a single utterance. Deterministic. Takes less
 * than 1 ms once the models are loaded.
 */
export function measureUtterance(input: UtteranceInput): TimelineEntry {
  const { text, language, unread } = input;
  const lexical = readLexical(unread ? '' : text, language);
  // Affect has not been validated for languages that the service does not understand.
  const affect = unread ? 'none' : input.affect;
  // The voice, if affect is read from it.
  const voice = affect === 'full' ? input.voice : null;
  const markers = voice && voiceMarkers(voice.delivery, voice.baseline);
  const { prosody, described, impression } = readVoice({ ...input, affect }, lexical, markers);
  const read = affect === 'none' ? NOTHING_READ : readAffect({ ...input, voice, markers }, lexical);
  return allRounded({
    utterance_id: input.utteranceId,
    speaker: input.speaker,
    speaker_label: input.speaker,
    t_start: input.tStart,
    t_end: input.tEnd,
    text,
    asr_confidence: input.asrConfidence,
    ...(unread && { unread }),
    prosody,
    prosody_desc: described.prosody_desc,
    emotion: read.emotion,
    sentiment: read.sentiment,
    polarity: read.polarity,
    subjectivity: read.subjectivity,
    cognitive: read.cognitive,
    commitment_score: read.commitment_score,
    commitment_level: read.commitment_level,
    passion_score: read.passion_score,
    passion_level: read.passion_level,
    conviction_score: read.conviction_score,
    lexical_markers: allRounded(lexical.markers),
    acoustic_reasoning: withDecision(impression.acoustic_reasoning, read.emotion),
    confidence: read.confidence,
    emotions: read.emotions,
    dominant_emotion: read.dominant_emotion,
    cognitive_signals: read.cognitive_signals,
    engagement: read.engagement,
    load_level: read.load_level,
    pad_scores: read.pad_scores,
    conviction_level: read.conviction_level,
    acoustic: {
      ...read.acoustic,
      acoustic_insights: described.acoustic_insights,
      delivery_style: impression.delivery_style,
      factuality_markers: read.factuality_markers,
      hesitation_patterns: described.hesitation_patterns,
      emphasis_points: described.emphasis_points,
    },
    acoustic_insights: described.acoustic_insights,
    delivery_style: impression.delivery_style,
    words: input.words,
    speaker_confidence: input.speakerConfidence,
    overlap_ratio: input.overlapRatio,
  });
}
