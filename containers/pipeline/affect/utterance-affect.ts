import type { Acoustic, SourceReading, TimelineEntry } from '../../../src/contract/timeline-entry.ts';
import { allRounded, rounded } from '../../../src/contract/wire-numbers.ts';
import { NO_BASELINE } from '../prosody/baseline.ts';
import { join, roundedEmotions } from './joining.ts';
import type { SourceAffect } from './reading.ts';
import { readWords } from './sources.ts';
import { readCognitive } from './text/cognitive.ts';
import {
  commitmentLevel,
  convictionLevel,
  convictionOf,
  factualityMarkers,
  passionLevel,
  type VoiceScores,
} from './text/commitment.ts';
import { cuesOf } from './text/cues.ts';
import type { LexicalReading } from './text/lexical.ts';
import { readModel } from './text/model.ts';
import { readSentiment } from './text/sentiment.ts';
import type { UtteranceInput } from './utterance.ts';
import type { VoiceMarkers } from './voice/markers.ts';
import type { MeasuredVoice } from './voice-measurement.ts';

/** The affect of an utterance, under the field names of its timeline entry. */
type EntryFields =
  | 'emotion'
  | 'sentiment'
  | 'polarity'
  | 'subjectivity'
  | 'cognitive'
  | 'commitment_score'
  | 'commitment_level'
  | 'passion_score'
  | 'passion_level'
  | 'conviction_score'
  | 'conviction_level'
  | 'confidence'
  | 'emotions'
  | 'dominant_emotion'
  | 'cognitive_signals'
  | 'engagement'
  | 'load_level'
  | 'pad_scores';
type AcousticFields = 'commitment_level' | 'commitment_score' | 'passion_level' | 'passion_score' | 'conviction_level';
type ReadAffect = { [K in EntryFields]: NonNullable<TimelineEntry[K]> } & {
  /** The voice's reading, which replaces that of the words when affect is read from the voice. */
  acoustic: { [K in AcousticFields]: NonNullable<Acoustic[K]> };
  /** Words with which the speaker vouches for or doubts something. Null when there are none. */
  factuality_markers: Acoustic['factuality_markers'];
};

/** The fields of an utterance whose affect is withheld. */
export const NOTHING_READ: { [K in EntryFields | 'factuality_markers']: null } & {
  acoustic: { [K in AcousticFields]: null };
} = {
  emotion: null,
  sentiment: null,
  polarity: null,
  subjectivity: null,
  cognitive: null,
  commitment_score: null,
  commitment_level: null,
  passion_score: null,
  passion_level: null,
  conviction_score: null,
  conviction_level: null,
  confidence: null,
  emotions: null,
  dominant_emotion: null,
  cognitive_signals: null,
  engagement: null,
  load_level: null,
  pad_scores: null,
  acoustic: {
    commitment_level: null,
    commitment_score: null,
    passion_level: null,
    passion_score: null,
    conviction_level: null,
  },
  factuality_markers: null,
};

/** Confidence of the cognitive reading: a minimum, and what words and voice each add when there is enough of them. */
const COGNITIVE_FLOOR = 0.25;
const COGNITIVE_FROM_WORDS = 0.35;
const COGNITIVE_FROM_VOICE = 0.25;

/**
 * Share of the confidence in a word-based emotion that is lost when the recogniser was completely unsure of the words.
 */
const UNSURE_WORDS = 0.5;

/** An utterance. Its voice and markers are null when affect is not read from the voice. */
interface Read extends UtteranceInput {
  voice: MeasuredVoice | null;
  markers: VoiceMarkers | null;
}

/** Reads the affect of an utterance from its words and its voice, if it has one. */
export function readAffect(input: Read, lexical: LexicalReading): ReadAffect {
  const { text, language, voice, markers, utteranceId, speaker, stability } = input;
  const answering = input.previous !== null && input.previous.speaker !== speaker;
  const situation = {
    delivery: voice?.delivery ?? null,
    baseline: voice?.baseline ?? NO_BASELINE,
    pauseBeforeMs: input.pauseBeforeMs,
    answering,
  };
  const cues = cuesOf(lexical, situation, language);
  const model = readModel(text, language, input.encoding);
  const sentiment = readSentiment(text, language, model);
  const words = readWords({ text, language, model, polarity: sentiment.polarity, asrConfidence: input.asrConfidence });
  const sounds = voice?.readings ?? [];
  const joined = join([...words, ...sounds], sentiment.polarity);
  const unsure = joined.decidedBy === 'words' ? UNSURE_WORDS * (1 - input.asrConfidence) : 0;
  const emotionConfidence = rounded(joined.confidence * (1 - unsure));
  const cognitive = allRounded(readCognitive(cues, voice !== null, answering));
  const voiceConfidence = voice?.delivery.confidence ?? 0;
  const cognitiveConfidence = rounded(
    COGNITIVE_FLOOR + COGNITIVE_FROM_WORDS * cues.substance + COGNITIVE_FROM_VOICE * voiceConfidence,
  );
  const scores = scoresOf(voice, markers);
  const feeling = { feeling: 1 - joined.emotions.neutral, polarity: sentiment.polarity };
  const { commitment, passion, conviction } = allRounded(convictionOf(text, cues, feeling, scores, language));
  const levels = {
    commitment_level: commitmentLevel(commitment),
    passion_level: passionLevel(passion),
    conviction_level: convictionLevel(conviction),
  };
  return {
    emotion: {
      utterance_id: utteranceId,
      speaker_id: speaker,
      emotion: joined.emotions,
      scores: joined.pad,
      confidence: emotionConfidence,
      stability,
      words: published(words[0]!),
      voice: sounds[0] ? published(sounds[0]) : null,
      decided_by: joined.decidedBy,
    },
    sentiment: sentiment.sentiment,
    polarity: sentiment.polarity,
    subjectivity: sentiment.subjectivity,
    cognitive: { utterance_id: utteranceId, ...cognitive, confidence: cognitiveConfidence, stability },
    commitment_score: commitment,
    passion_score: passion,
    conviction_score: conviction,
    ...levels,
    confidence: rounded((emotionConfidence + sentiment.confidence + cognitiveConfidence) / 3),
    emotions: joined.emotions,
    dominant_emotion: joined.dominant,
    cognitive_signals: cognitive.signals,
    engagement: cognitive.engagement,
    load_level: cognitive.load_level,
    pad_scores: joined.pad,
    acoustic: {
      commitment_level: commitmentLevel(scores?.commitment ?? commitment),
      commitment_score: scores?.commitment ?? commitment,
      passion_level: passionLevel(scores?.passion ?? passion),
      passion_score: scores?.passion ?? passion,
      conviction_level: levels.conviction_level,
    },
    factuality_markers: factualityMarkers(text, language),
  };
}

/** The voice's own scores beside those of the words. */
function scoresOf(voice: MeasuredVoice | null, markers: VoiceMarkers | null): VoiceScores | null {
  if (voice === null || markers === null) return null;
  return {
    commitment: markers.commitment_markers.commitment_score,
    passion: markers.passion_markers.passion_score,
    energy: markers.commitment_markers.energy_strength,
    trust: voice.delivery.confidence,
  };
}

/** A source's reading in its published form. */
const published = ({ emotions, pad, confidence }: SourceAffect): SourceReading => ({
  emotion: roundedEmotions(emotions),
  scores: allRounded(pad),
  confidence: rounded(confidence),
});
