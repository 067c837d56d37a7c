import { smallTalk } from '../scripts/train/small-talk.ts';
import { LIMITS } from '../src/contract/limits.ts';
import { seeded } from '../support/random.ts';

/** Limit of a body, bytes (src/worker/segmentation/request.ts). */
const BODY_BYTES = 64 * 1024 * 1024;
const VALUE_BYTES = 1024 * 1024;

const share = (n: number): number => n / 1000;

/** Every field of a pipeline's utterance, with its three or four digits. */
function entry(i: number, speaker: string, text: string, words: object[]): object {
  const unit = (k: number) => share((i * 7919 + k * 104_729) % 1000);
  const named = (names: string) => Object.fromEntries(names.split(' ').map((name, k) => [name, unit(k)]));
  const utterance_id = `bench_utt_${i}`;
  const emotions = named('joy sadness anger fear surprise disgust neutral');
  const signals = named('focused confused engaged disengaged thoughtful uncertain');
  const scores = named('valence arousal dominance');
  return {
    utterance_id,
    speaker,
    t_start: i * 3,
    t_end: i * 3 + 2.5,
    text,
    asr_confidence: unit(1),
    prosody: named(
      'pitch_hz pitch_std pitch_range energy_rms energy_std energy_max duration spectral_centroid spectral_std zcr pause_ratio pitch_z energy_z voiced_ratio intensity_db hnr_db jitter shimmer speech_rate articulation_rate rate_z pause_mean_ms final_slope_st alpha_ratio_db confidence',
    ),
    prosody_desc: 'Level delivery, at an even pace.',
    emotion: { utterance_id, speaker_id: speaker, emotion: emotions, scores, confidence: unit(2), stability: 'final' },
    sentiment: named('positive negative neutral'),
    polarity: unit(3) * 2 - 1,
    subjectivity: unit(4),
    cognitive: {
      utterance_id,
      signals,
      engagement: unit(5),
      load_level: 'low',
      confidence: unit(6),
      stability: 'final',
    },
    lexical_markers: { hedge_density: 0, disfluency_rate: 0, is_question: false, self_repair: false, reasoning: '' },
    confidence: unit(7),
    emotions,
    cognitive_signals: signals,
    engagement: unit(8),
    load_level: 'low',
    pad_scores: scores,
    words,
  };
}

const moment = (i: number): object => ({
  category: ['objection', 'cta_offered', 'cta_accepted', 'cta_rejected', 'topic_shift'][i % 5],
  speaker_id: `Speaker_${i % 8}`,
  start_ms: i * 3000,
  end_ms: i * 3000 + 2500,
  utterance_ids: [`bench_utt_${i}`],
  summary: 'm'.repeat(LIMITS.summaryChars),
  labels: ['price'],
  confidence: share(i % 1000),
});
const transition = (i: number): object => ({
  at_ms: i * 3000,
  from_state: 'calm',
  to_state: 'tense',
  evidence_utterance_ids: [`bench_utt_${i}`],
  confidence: share(i % 1000),
  stability: 'final',
  speaker_id: `Speaker_${i % 8}`,
});

/** Endless plain speech, word by word. */
function* plainWords(): Generator<string> {
  const random = seeded(3);
  for (;;) for (const turn of smallTalk(random, 6).turns) yield* turn.split(' ');
}
/** Endless words that never repeat. */
function* freshWords(): Generator<string> {
  const random = seeded(5);
  for (let i = 0; ; i++)
    yield `${String.fromCharCode(97 + Math.floor(random() * 26), 97 + Math.floor(random() * 26))}${i.toString(36)}`;
}
/** Inner apostrophes, stutters, fillers, abbreviations: hard cases for patterns. */
function* oddWords(): Generator<string> {
  for (;;) yield* ["I'm", "I'm", 'um,', 'the', 'the', 'mr.', 'and', 'like', 'i', 'mean', 'a.m.', 'so,', "you're,"];
}

export const TEXTS = {
  plain: plainWords,
  'words that never come again': freshWords,
  'apostrophes, stutters': oddWords,
};

/** The maximum amount of text, divided among this many utterances. */
export function texts(words: Generator<string>, utterances: number): string[] {
  const chars = Math.min(LIMITS.textChars, Math.floor(LIMITS.allTextChars / utterances));
  return Array.from({ length: utterances }, () => {
    let text = '';
    for (;;) {
      const word = words.next().value as string;
      if (text.length + word.length + 1 > chars) return text;
      text += text === '' ? word : ` ${word}`;
    }
  });
}

/**
 * Every limit is reached at once: texts, utterances with all their fields and words, moments, transitions, the context.
 */
export function atEveryLimit(words: Generator<string>, utterances: number = LIMITS.utterances, speakers = 8): string {
  let left: number = LIMITS.allWords;
  const timeline = texts(words, utterances).map((text, i) => {
    const spoken = text.split(' ').slice(0, Math.min(left, LIMITS.words));
    left -= spoken.length;
    const heard = spoken.map((word, k) => ({
      word,
      t_start: i * 3 + share(k % 2500),
      t_end: i * 3 + share((k + 300) % 2500),
      confidence: share((k * 37) % 1000),
    }));
    return entry(i, `Speaker_${i % speakers}`, text, heard);
  });
  const each = <T>(make: (i: number) => T): T[] => Array.from({ length: LIMITS.events }, (_, i) => make(i));
  const context = texts(freshWords(), 1)[0]!.slice(0, LIMITS.goalChars);
  return JSON.stringify({ timeline, moments: each(moment), transitions: each(transition), context });
}

export const SHAPES = ['numbers', 'objects', 'keys', 'escapes', 'nested', 'string'] as const;

/**
 * A body at the limit of bytes. Most of them are in members that nothing reads, which consist of values of this shape.
 */
export function atTheBytes(shape: (typeof SHAPES)[number]): string {
  const ask = '{"timeline":[{"utterance_id":"a","speaker":"b","t_start":0,"t_end":1,"text":"Hello there."}],"x":[';
  const filled = (unit: string, open = '[', close = ']') =>
    `${open}${unit.repeat(Math.floor((VALUE_BYTES - 8) / unit.length) - 1)}${unit.replace(/,$/, '')}${close}`;
  const keys = (): string => {
    let text = '{';
    for (let i = 0; text.length < VALUE_BYTES - 24; i++) text += `${i === 0 ? '' : ','}"${i.toString(36)}":1`;
    return `${text}}`;
  };
  const value = {
    numbers: () => filled('1,'),
    objects: () => filled('{},'),
    keys,
    escapes: () => filled('\\u20ac', '"', '"'),
    nested: () => filled(`${'['.repeat(28)}${']'.repeat(28)},`),
    string: () => filled('a', '"', '"'),
  }[shape]();
  const count = Math.floor((BODY_BYTES - ask.length - 2) / (value.length + 1));
  return `${ask}${Array(count).fill(value).join(',')}]}`;
}

/** A timeline of small talk and calls of a given length, with the fields that a client would send back. */
export function talkOf(size: number): object[] {
  const random = seeded(size);
  const out: object[] = [];
  let t = 0;
  while (out.length < size) {
    const talk = smallTalk(random, 6);
    for (let i = 0; i < talk.turns.length && out.length < size; i++) {
      const text = talk.turns[i]!;
      const duration = text.split(' ').length / 2.7;
      out.push({
        utterance_id: `bench_utt_${out.length}`,
        speaker: `Speaker_${i % 2}`,
        t_start: t,
        t_end: t + duration,
        text,
        polarity: random() * 2 - 1,
        pad_scores: { valence: random(), arousal: random(), dominance: random() },
        engagement: random(),
      });
      t += duration + random();
    }
  }
  return out;
}
