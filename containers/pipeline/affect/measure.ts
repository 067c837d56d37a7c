import type { Stability, Word } from '../../../src/contract/timeline.ts';
import type { Acoustic, Prosody, TimelineEntry } from '../../../src/contract/timeline-entry.ts';
import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';
import { NO_BASELINE } from '../prosody/baseline.ts';
import { type DeliveryDescription, describeDelivery } from '../prosody/description.ts';
import { prosodyFields } from '../prosody/prosody-fields.ts';
import { readCognitive } from './cognitive.ts';
import {
  commitmentLevel,
  convictionLevel,
  convictionOf,
  factualityMarkers,
  passionLevel,
  type VoiceScores,
} from './commitment.ts';
import { cuesOf } from './cues.ts';
import type { HeardVoice } from './heard-voice.ts';
import { join } from './joining.ts';
import { type LexicalReading, readLexical } from './lexical.ts';
import { readSentiment } from './sentiment.ts';
import { readWords } from './sources.ts';
import { readModel } from './text-model.ts';
import { impressionOf, type VoiceImpression } from './voice-impression.ts';
import { voiceMarkers } from './voice-markers.ts';

/** One recognised utterance with what is heard in it. Seconds from the start of the recording unless named otherwise. */
export interface UtteranceInput {
  utteranceId: string;
  speaker: string;
  tStart: number;
  tEnd: number;
  text: string;
  asrConfidence: number;
  words: Word[];
  speakerConfidence: number;
  overlapRatio: number;
  /** Null when the audio could not be measured: prosody is then {} and everything else comes from the words. */
  voice: HeardVoice | null;
  /** Silence since whatever was said last, by anyone, ms. */
  pauseBeforeMs: number;
  previous: { speaker: string; text: string } | null;
  /** Of the text, by the sentence encoder; null without it. */
  encoding: Float32Array | null;
  /** Provisional while a session goes on. */
  stability: Stability;
}

/** Confidence of the cognitive reading: a floor, and what words and voice add when there is enough of them. */
const COGNITIVE_FLOOR = 0.25;
const COGNITIVE_FROM_WORDS = 0.35;
const COGNITIVE_FROM_VOICE = 0.25;

/** How much of the confidence in an emotion goes where the recogniser was wholly unsure of the words. */
const UNSURE_WORDS = 0.5;

const UNHEARD: DeliveryDescription & VoiceImpression = {
  prosody_desc: 'The audio of this utterance could not be measured.',
  acoustic_reasoning: 'Read from the words alone: the audio of this utterance could not be measured.',
  acoustic_insights: [],
  delivery_style: 'not measured',
  hesitation_patterns: [],
  emphasis_points: [],
};

/** The voice's measures on the wire, what they say in sentences, and its scores beside those of the words. */
function hear({ voice, ...input }: UtteranceInput, lexical: LexicalReading) {
  if (voice === null) return { prosody: {}, described: UNHEARD, scores: null };
  const { delivery, baseline } = voice;
  const markers = voiceMarkers(delivery, baseline);
  const measured = prosodyFields(delivery, baseline, input.pauseBeforeMs, markers);
  const scores: VoiceScores = {
    commitment: markers.commitment_markers.commitment_score,
    passion: markers.passion_markers.passion_score,
    energy: markers.commitment_markers.energy_strength,
    trust: delivery.confidence,
  };
  // What was measured reaches a little beyond the words on either side; what is told is the utterance's.
  const prosody: Prosody = { ...measured, duration: rounded(rounded(input.tEnd) - rounded(input.tStart)) };
  const facts = {
    prosody: measured,
    seconds: prosody.duration,
    words: input.words,
    lexical: lexical.markers,
    emphasisAt: delivery.emphasisAt.map((at) => input.tStart + at),
  };
  const described = { ...describeDelivery(facts), ...impressionOf(measured, lexical.markers, prosody.duration) };
  return { prosody, described, scores };
}

/** Everything one utterance's own words and audio tell. Deterministic; under 1 ms after the models are loaded. */
export function measureUtterance(input: UtteranceInput): TimelineEntry {
  const { text, voice } = input;
  const lexical = readLexical(text);
  const { prosody, described, scores } = hear(input, lexical);
  const answering = input.previous !== null && input.previous.speaker !== input.speaker;
  const cues = cuesOf(lexical, {
    delivery: voice?.delivery ?? null,
    baseline: voice?.baseline ?? NO_BASELINE,
    pauseBeforeMs: input.pauseBeforeMs,
    answering,
  });
  const model = readModel(text, input.encoding);
  const sentiment = readSentiment(text, model);
  const joined = join([...readWords({ text, model, polarity: sentiment.polarity }), ...(voice?.readings ?? [])]);
  const emotionConfidence = rounded(joined.confidence * (1 - UNSURE_WORDS * (1 - input.asrConfidence)));
  const read = readCognitive(cues, voice !== null, answering);
  const cognitive = allRounded(read);
  const { commitment, passion, conviction } = allRounded(
    convictionOf(text, cues, { feeling: 1 - joined.emotions.neutral, polarity: sentiment.polarity }, scores),
  );
  const heard = voice?.delivery.confidence ?? 0;
  const cognitiveConfidence = rounded(
    COGNITIVE_FLOOR + COGNITIVE_FROM_WORDS * cues.substance + COGNITIVE_FROM_VOICE * heard,
  );
  const levels = {
    commitment_level: commitmentLevel(commitment),
    passion_level: passionLevel(passion),
    conviction_level: convictionLevel(conviction),
  };
  const acoustic: Acoustic = {
    commitment_level: commitmentLevel(scores?.commitment ?? commitment),
    commitment_score: scores?.commitment ?? commitment,
    passion_level: passionLevel(scores?.passion ?? passion),
    passion_score: scores?.passion ?? passion,
    conviction_level: levels.conviction_level,
    acoustic_insights: described.acoustic_insights,
    delivery_style: described.delivery_style,
    factuality_markers: factualityMarkers(text),
    hesitation_patterns: described.hesitation_patterns,
    emphasis_points: described.emphasis_points,
  };
  return allRounded({
    utterance_id: input.utteranceId,
    speaker: input.speaker,
    t_start: input.tStart,
    t_end: input.tEnd,
    text,
    asr_confidence: input.asrConfidence,
    prosody,
    prosody_desc: described.prosody_desc,
    emotion: {
      utterance_id: input.utteranceId,
      speaker_id: input.speaker,
      emotion: joined.emotions,
      scores: joined.pad,
      confidence: emotionConfidence,
      stability: input.stability,
    },
    sentiment: sentiment.sentiment,
    polarity: sentiment.polarity,
    subjectivity: sentiment.subjectivity,
    cognitive: {
      utterance_id: input.utteranceId,
      ...cognitive,
      confidence: cognitiveConfidence,
      stability: input.stability,
    },
    commitment_score: commitment,
    commitment_level: levels.commitment_level,
    passion_score: passion,
    passion_level: levels.passion_level,
    conviction_score: conviction,
    lexical_markers: allRounded(lexical.markers),
    acoustic_reasoning: described.acoustic_reasoning,
    confidence: rounded((emotionConfidence + sentiment.confidence + cognitiveConfidence) / 3),
    emotions: joined.emotions,
    dominant_emotion: joined.dominant,
    cognitive_signals: cognitive.signals,
    engagement: cognitive.engagement,
    load_level: cognitive.load_level,
    pad_scores: joined.pad,
    conviction_level: levels.conviction_level,
    acoustic,
    acoustic_insights: described.acoustic_insights,
    delivery_style: described.delivery_style,
    words: input.words,
    speaker_confidence: input.speakerConfidence,
    overlap_ratio: input.overlapRatio,
  });
}
