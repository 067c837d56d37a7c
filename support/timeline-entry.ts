import type { TimelineEntry } from '../src/contract/timeline-entry.ts';

/** A full timeline entry with mid-range measures. */
export function timelineEntry(
  conversationId: string,
  n: number,
  text: string,
  speaker = `Speaker_${n % 2}`,
): TimelineEntry {
  const utterance_id = `${conversationId}_utt_${n}`;
  const emotions = { joy: 0.1, sadness: 0.05, anger: 0.05, fear: 0.05, surprise: 0.05, disgust: 0.05, neutral: 0.65 };
  const signals = { focused: 0.5, confused: 0.1, engaged: 0.6, disengaged: 0.1, thoughtful: 0.3, uncertain: 0.2 };
  const scores = { valence: 0.5, arousal: 0.4, dominance: 0.5 };
  const levels = { commitment_score: 0.5, commitment_level: 'moderate', passion_score: 0.4 } as const;
  return {
    utterance_id,
    speaker,
    t_start: n * 2,
    t_end: n * 2 + 1.5,
    text,
    asr_confidence: 0.9,
    prosody: {},
    prosody_desc: 'Level delivery.',
    emotion: {
      utterance_id,
      speaker_id: speaker,
      emotion: emotions,
      scores,
      confidence: 0.6,
      stability: 'final',
      words: { emotion: emotions, scores, confidence: 0.9 },
      voice: { emotion: emotions, scores, confidence: 0.5 },
      decided_by: 'words',
    },
    sentiment: { positive: 0.2, negative: 0.1, neutral: 0.7 },
    polarity: 0.1,
    subjectivity: 0.3,
    cognitive: { utterance_id, signals, engagement: 0.6, load_level: 'low', confidence: 0.5, stability: 'final' },
    ...levels,
    passion_level: 'mildly_passionate',
    conviction_score: 0.5,
    lexical_markers: { hedge_density: 0, disfluency_rate: 0, is_question: false, self_repair: false, reasoning: '' },
    acoustic_reasoning: '',
    confidence: 0.6,
    emotions,
    dominant_emotion: 'neutral',
    cognitive_signals: signals,
    engagement: 0.6,
    load_level: 'low',
    pad_scores: scores,
    conviction_level: 'moderate',
    acoustic: {
      ...levels,
      passion_level: 'mildly_passionate',
      conviction_level: 'moderate',
      acoustic_insights: [],
      delivery_style: 'even',
      factuality_markers: null,
      hesitation_patterns: [],
      emphasis_points: [],
    },
    acoustic_insights: [],
    delivery_style: 'even',
    words: [],
    speaker_confidence: 0.9,
    overlap_ratio: 0,
  };
}
