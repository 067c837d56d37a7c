import { SAMPLE_RATE_HZ } from '../../containers/pipeline/audio/interval.ts';
import { type SpeakerSegmentation, segmentSpeakers } from '../../containers/pipeline/diarization/diarize.ts';
import { FRAMES_PER_SECOND, type SpeakerFeatures } from '../../containers/pipeline/diarization/speaker-features.ts';
import { TURN_REACH_S } from '../../containers/pipeline/diarization/turns.ts';
import { assignWords } from '../../containers/pipeline/diarization/words.ts';
import type { SpeechDetector } from '../../containers/pipeline/models/silero.ts';
import { engineOf } from '../../containers/pipeline/recognition/engines.ts';
import type { RecordedWord } from '../../containers/pipeline/recognition/timed-words.ts';
import { type Layout, RecordingStages } from '../../containers/pipeline/stages/recording.ts';
import { type Job, WorkerPool } from '../../containers/pipeline/workers/pool.ts';
import { decodeAudio, evalPath } from '../../scripts/eval-data.ts';
import { say, type Table } from '../report.ts';
import { normalise } from '../wer.ts';
import { madeCalls, type StereoCall } from './made-calls.ts';
import { entries, featuresOf, nameOf, speechOf } from './recordings.ts';

// To which voice the pipeline gives the short replies of a mono call, judged on calls with one person per channel: the
// channels give the speaker of each word, and the pipeline hears their mix. One file, because every rule that was tried is
// scored on the same calls.

const BATCH: Job = { priority: 'batch' };
const ENGINE = engineOf();
const FULL_SCALE = 32_768;
/** Given to the diarisation: a wrong count is another fault than a reply of the wrong voice. */
const SPEAKERS = 2;
const BLOCK_S = 10;

/** A short reply: so few words or so short, with a pause on either side in its own channel. */
const REPLY_WORDS = 3;
const REPLY_S = 1.2;
const PAUSE_S = 0.5;
/** The same word in the channel and in the mix, if the middles of its times are this close, s. */
const SAME_WORD_S = 0.5;
/** By how much one side of a call is moved, so that replies begin sooner or later, s. */
const MOVES_S = [0, -0.6, -0.3, 0.3, 0.6];

interface ChannelWord {
  word: string;
  start: number;
  end: number;
  channel: 0 | 1;
}

/** A word of the mix, and the speaker that it is given to. */
interface MixedWord extends RecordedWord {
  speaker: number;
}

/** A recording after the stages of the pipeline: its words by segment. */
interface Heard {
  layout: Layout;
  words: RecordedWord[][];
}

/** @param channels of one person each, or the mix of two people */
async function heard(channels: readonly Float32Array[], pool: WorkerPool): Promise<Heard> {
  const recording = new RecordingStages(pool, BATCH);
  try {
    const samples = interleaved(channels);
    const block = BLOCK_S * SAMPLE_RATE_HZ * channels.length;
    for (let at = 0; at < samples.length; at += block)
      await recording.push({ channels: channels.length as 1 | 2, samples: samples.slice(at, at + block) });
    const layout = await recording.layOut(ENGINE.longestS, SPEAKERS);
    const words = await Promise.all(
      layout.segments.map(async (segment) => {
        const sound = await recording.read(segment, segment.channel);
        const task = { samples: sound, segment, recogniser: ENGINE.id, options: { quality: 'fast' as const } };
        return (await pool.run(BATCH, 'transcribe', task)).words;
      }),
    );
    return { layout, words };
  } finally {
    await recording.close();
  }
}

function interleaved(channels: readonly Float32Array[]): Int16Array {
  const out = new Int16Array(channels[0]!.length * channels.length);
  for (const [c, samples] of channels.entries())
    for (let i = 0; i < samples.length; i++) {
      const value = Math.round(samples[i]! * FULL_SCALE);
      out[i * channels.length + c] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE - 1, value));
    }
  return out;
}

const mixOf = (left: Float32Array, right: Float32Array): Float32Array =>
  left.map((value, i) => (value + right[i]!) / 2);

/** A sound that begins later, or earlier if `seconds` is negative. */
function moved(samples: Float32Array, seconds: number): Float32Array {
  const by = Math.round(seconds * SAMPLE_RATE_HZ);
  return samples.map((_, i) => samples[i - by] ?? 0);
}

function wordsOfChannels({ layout, words }: Heard): ChannelWord[] {
  return words.flatMap((own, i) => {
    const { channel } = layout.segments[i]!;
    if (channel === 'mix') throw new Error('the channels of a stereo call do not carry one person each');
    return own.map(({ word, t_start, t_end }) => ({ word, start: t_start, end: t_end, channel }));
  });
}

/** The words of the mix with their speakers, as the pipeline decides. */
function givenWords({ layout, words }: Heard): MixedWord[] {
  const { turns } = layout.diarization;
  return words.flatMap((own, i) => {
    const { start, end } = layout.segments[i]!;
    const near = turns.filter((turn) => turn.end > start - TURN_REACH_S && turn.start < end + TURN_REACH_S);
    return assignWords(own, near).flatMap((run) => run.words.map((word) => ({ ...word, speaker: run.speaker })));
  });
}

/** Pairs of the same word in the channels and in the mix, closest first, each word once: the index in the mix by word. */
function sameWords(channelWords: readonly ChannelWord[], mixed: readonly MixedWord[]): Map<ChannelWord, number> {
  const pairs: { distance: number; word: ChannelWord; at: number }[] = [];
  for (const [at, { word, t_start, t_end }] of mixed.entries()) {
    const text = normalise(word);
    for (const own of channelWords) {
      const distance = Math.abs(own.start + own.end - t_start - t_end) / 2;
      if (distance < SAME_WORD_S && normalise(own.word) === text) pairs.push({ distance, word: own, at });
    }
  }
  const taken = new Set<number>();
  const found = new Map<ChannelWord, number>();
  for (const { word, at } of pairs.sort((a, b) => a.distance - b.distance)) {
    if (found.has(word) || taken.has(at)) continue;
    found.set(word, at);
    taken.add(at);
  }
  return found;
}

/** Replies of the channels: few words between pauses of their own channel. */
function shortReplies(words: readonly ChannelWord[]): ChannelWord[][] {
  const spoken = ([0, 1] as const).flatMap((channel) => {
    const utterances: ChannelWord[][] = [];
    for (const word of words.filter((one) => one.channel === channel).sort((a, b) => a.start - b.start)) {
      const before = utterances.at(-1)?.at(-1);
      if (before && word.start - before.end < PAUSE_S) utterances.at(-1)!.push(word);
      else utterances.push([word]);
    }
    return utterances;
  });
  return spoken.filter((own) => own.length <= REPLY_WORDS || own.at(-1)!.end - own[0]!.start < REPLY_S);
}

/** The louder channel in a span, which is that of its speaker where the words do not tell. */
function louder([left, right]: StereoCall['channels'], { t_start, t_end }: RecordedWord): 0 | 1 {
  let difference = 0;
  for (let i = Math.round(t_start * SAMPLE_RATE_HZ); i < t_end * SAMPLE_RATE_HZ; i++)
    difference += (left[i] ?? 0) ** 2 - (right[i] ?? 0) ** 2;
  return difference >= 0 ? 0 : 1;
}

interface Judged {
  replies: number;
  right: number;
  wrong: number;
  words: number;
  wrongWords: number;
}

const NONE: Judged = { replies: 0, right: 0, wrong: 0, words: 0, wrongWords: 0 };
const added = (a: Judged, b: Judged): Judged => ({
  replies: a.replies + b.replies,
  right: a.right + b.right,
  wrong: a.wrong + b.wrong,
  words: a.words + b.words,
  wrongWords: a.wrongWords + b.wrongWords,
});

/** A call in mono, with all that rules and scores need. */
interface MonoCall {
  /** True channel of each word of the mix. */
  truth: (0 | 1)[];
  /** Positions in the mix of the words of each short reply; none if it was not found. */
  replies: { channel: 0 | 1; at: number[] }[];
  mixed: MixedWord[];
  segmentation: SpeakerSegmentation;
  features: SpeakerFeatures;
}

/** Whether each word of the mix is given to the voice of its channel. Only two speakers can be. */
function rightWords({ truth, mixed }: MonoCall, speakers: readonly number[]): boolean[] {
  // The speakers are the channels in the order that agrees with more words, as the pipeline gives them.
  const agree = mixed.reduce((sum, { speaker }, i) => sum + (speaker > 1 ? 0 : speaker === truth[i] ? 1 : -1), 0);
  return truth.map((channel, i) => speakers[i] === (agree >= 0 ? channel : 1 - channel));
}

function judged({ replies }: MonoCall, isRight: readonly boolean[]): Judged {
  const given = replies.filter(({ at }) => at.length > 0);
  const right = given.filter(({ at }) => 2 * at.filter((i) => isRight[i]).length >= at.length).length;
  return {
    replies: replies.length,
    right,
    wrong: given.length - right,
    words: isRight.length,
    wrongWords: isRight.filter((one) => !one).length,
  };
}

/** A rule that gives words of the mix to another speaker than the pipeline does. */
type Rule = (call: MonoCall) => number[];

const LISTENING = new Set(
  'yeah yes yep yup mm-hm mm-hmm mhm uh-huh okay ok right sure no nope alright great good perfect thanks oh wow really exactly absolutely'.split(
    ' ',
  ),
);
const SENTENCE_END = /[.?!]$/;
/** A pause that ends a phrase, and one within which the same voice speaks on at once, s. */
const PHRASE_PAUSE_S = 0.2;
const AT_ONCE_S = 0.6;

/** Stretches of at most three words of one speaker between ends of phrases. */
function shortStretches(mixed: readonly MixedWord[]): { from: number; to: number }[] {
  const endsPhrase = (i: number): boolean =>
    i < 0 ||
    i + 1 >= mixed.length ||
    SENTENCE_END.test(mixed[i]!.word) ||
    /,$/.test(mixed[i]!.word) ||
    mixed[i + 1]!.t_start - mixed[i]!.t_end >= PHRASE_PAUSE_S ||
    mixed[i]!.speaker !== mixed[i + 1]!.speaker;
  const out: { from: number; to: number }[] = [];
  for (let from = 0; from < mixed.length; ) {
    let to = from + 1;
    while (!endsPhrase(to - 1)) to++;
    if (to - from <= REPLY_WORDS) out.push({ from, to });
    from = to;
  }
  return out;
}

/**
 * Words and place: a stretch of listening words right after a phrase of the same voice, which speaks on at once after
 * it, goes to the other voice.
 */
const byWordsAndPlace: Rule = ({ mixed }) => {
  const speakers = mixed.map(({ speaker }) => speaker);
  for (const { from, to } of shortStretches(mixed)) {
    const [before, after] = [mixed[from - 1], mixed[to]];
    if (!before || !after) continue;
    const { speaker } = mixed[from]!;
    const isInside =
      before.speaker === speaker &&
      after.speaker === speaker &&
      mixed[from]!.t_start - before.t_end < AT_ONCE_S &&
      after.t_start - mixed[to - 1]!.t_end < AT_ONCE_S;
    if (
      isInside &&
      mixed.slice(from, to).every(({ word }) => LISTENING.has(word.toLowerCase().replace(/[^a-z-]/g, '')))
    )
      speakers.fill(1 - speaker, from, to);
  }
  return speakers;
};

/** Voice: a short stretch in whose frames the model of the other voice has the higher score goes to the other voice. */
const byVoice: Rule = ({ mixed, segmentation: { frames, scores } }) => {
  const speakers = mixed.map(({ speaker }) => speaker);
  if (scores.length !== 2) return speakers;
  const position = new Map(Array.from(frames.frame, (frame, i) => [frame, i]));
  for (const { from, to } of shortStretches(mixed)) {
    const { speaker } = mixed[from]!;
    let lead = 0;
    const last = Math.round(mixed[to - 1]!.t_end * FRAMES_PER_SECOND);
    for (let frame = Math.round(mixed[from]!.t_start * FRAMES_PER_SECOND); frame < last; frame++) {
      const at = position.get(frame);
      if (at !== undefined) lead += scores[1 - speaker]![at]! - scores[speaker]![at]!;
    }
    if (lead > 0) speakers.fill(1 - speaker, from, to);
  }
  return speakers;
};

/** Words of a turn on either side of a stretch that it is compared with. */
const NEIGHBOURS = 8;
/** Voiced frames that pitch and level need. */
const LEAST_VOICED = 8;
/** Difference from both sides that is heard as another voice. */
const OTHER_PITCH_ST = 2;
const OTHER_LEVEL_DB = 4;
const DB_PER_NEPER = 10 / Math.LN10;

/** Medians over voiced frames. */
interface Sound {
  /** Semitones re 1 Hz. */
  pitch: number;
  /** Mean level of the bands, dB. */
  level: number;
}

/** @returns null where too little is voiced */
function soundOf(words: readonly MixedWord[], features: SpeakerFeatures): Sound | null {
  const pitch: number[] = [];
  const level: number[] = [];
  for (const { t_start, t_end } of words) {
    const last = Math.min(features.frames, Math.round(t_end * FRAMES_PER_SECOND));
    for (let frame = Math.round(t_start * FRAMES_PER_SECOND); frame < last; frame++) {
      const hz = features.pitchAt(frame);
      if (hz === 0) continue;
      pitch.push(12 * Math.log2(hz));
      level.push(DB_PER_NEPER * features.levelAt(frame));
    }
  }
  return pitch.length < LEAST_VOICED ? null : { pitch: median(pitch), level: median(level) };
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1]!;

/**
 * A short stretch inside a turn that differs from the words of the turn on either side, in one direction, and is closer
 * to the other voice as it is over the whole call.
 * @param differs whether the stretch is another's, from its sound, that of either side, and those of both voices
 */
const bySound =
  (differs: (own: Sound, sides: [Sound, Sound], voice: Sound, other: Sound) => boolean): Rule =>
  ({ mixed, features }) => {
    const speakers = mixed.map(({ speaker }) => speaker);
    const voices = [0, 1].map((speaker) =>
      soundOf(
        mixed.filter((word) => word.speaker === speaker),
        features,
      ),
    );
    for (const { from, to } of shortStretches(mixed)) {
      const { speaker } = mixed[from]!;
      const before = mixed.slice(Math.max(0, from - NEIGHBOURS), from);
      const after = mixed.slice(to, to + NEIGHBOURS);
      // Other words of the voice come right before and after: the stretch is within its turn.
      if (before.at(-1)?.speaker !== speaker || after[0]?.speaker !== speaker) continue;
      const ownOf = (words: MixedWord[]) => words.filter((word) => word.speaker === speaker);
      const [own, left, right] = [mixed.slice(from, to), ownOf(before), ownOf(after)].map((w) => soundOf(w, features));
      const [voice, other] = [voices[speaker], voices[1 - speaker]];
      if (own && left && right && voice && other && differs(own, [left, right], voice, other))
        speakers.fill(1 - speaker, from, to);
    }
    return speakers;
  };

const isOther = (key: keyof Sound, least: number) => (own: Sound, sides: Sound[], voice: Sound, other: Sound) => {
  const direction = Math.sign(other[key] - voice[key]);
  return (
    sides.every((side) => direction * (own[key] - side[key]) >= least) &&
    Math.abs(own[key] - other[key]) < Math.abs(own[key] - voice[key])
  );
};
const byPitch = isOther('pitch', OTHER_PITCH_ST);
const byLevel = isOther('level', OTHER_LEVEL_DB);

const RULES: [string, Rule][] = [
  ['as the pipeline gives them', ({ mixed }) => mixed.map(({ speaker }) => speaker)],
  ['listening words inside the other voice', byWordsAndPlace],
  ['short stretches by voice', byVoice],
  ['within a turn, another pitch', bySound(byPitch)],
  ['within a turn, another level', bySound(byLevel)],
  ['within a turn, another pitch and level', bySound((...sounds) => byPitch(...sounds) && byLevel(...sounds))],
];

/** A call's mix with its truth. @param words of the channels */
async function monoCall(
  channels: StereoCall['channels'],
  words: readonly ChannelWord[],
  pool: WorkerPool,
  detector: SpeechDetector,
): Promise<MonoCall> {
  const mix = mixOf(...channels);
  const mixed = givenWords(await heard([mix], pool));
  const same = sameWords(words, mixed);
  const truth = mixed.map((word) => louder(channels, word));
  for (const [{ channel }, at] of same) truth[at] = channel;
  const replies = shortReplies(words).map((own) => ({
    channel: own[0]!.channel,
    at: own.flatMap((word) => same.get(word) ?? []),
  }));
  const features = featuresOf(mix);
  return {
    truth,
    replies,
    mixed,
    features,
    segmentation: segmentSpeakers(features, await speechOf(mix, detector), { speakers: SPEAKERS }),
  };
}

async function* stereoCalls(): AsyncGenerator<StereoCall> {
  for (const { file } of entries().filter(({ file }) => nameOf(file).includes('stereo'))) {
    const path = evalPath('diarization', file);
    yield { name: nameOf(file), channels: [decodeAudio(path, 0), decodeAudio(path, 1)] };
  }
}

const percent = (part: number, all: number): number => (100 * part) / Math.max(1, all);

/** Short replies and all words of calls in mono, as the pipeline gives them and under the rules that were tried. */
export async function repliesTable(detector: SpeechDetector): Promise<Table> {
  const pool = await WorkerPool.start();
  const rows: Table['rows'] = [];
  const judge = (name: string, moveS: number | null, calls: readonly MonoCall[]): void => {
    for (const [rule, give] of RULES) {
      let sum = NONE;
      let moves = 0;
      let falseMoves = 0;
      for (const call of calls) {
        const given = give(call);
        const isRight = rightWords(call, given);
        const changed = given.flatMap((speaker, i) => (speaker === call.mixed[i]!.speaker ? [] : [i]));
        sum = added(sum, judged(call, isRight));
        moves += changed.length;
        falseMoves += changed.filter((i) => !isRight[i]).length;
      }
      const { replies, right, wrong, words, wrongWords } = sum;
      const notFound = replies - right - wrong;
      rows.push([
        name,
        moveS,
        rule,
        replies,
        right,
        wrong,
        notFound,
        words,
        percent(wrongWords, words),
        moves,
        falseMoves,
      ]);
    }
  };
  for await (const { name, channels } of stereoCalls()) {
    const words = wordsOfChannels(await heard(channels, pool));
    for (const move of MOVES_S) {
      const [left, right] = channels;
      const later = words.map((word) =>
        word.channel === 0 ? word : { ...word, start: word.start + move, end: word.end + move },
      );
      judge(name, move, [await monoCall([left, moved(right, move)], later, pool, detector)]);
      say(`${name}, one side moved by ${move} s`);
    }
  }
  const made: MonoCall[] = [];
  for await (const { name, channels } of madeCalls(detector)) {
    made.push(await monoCall(channels, wordsOfChannels(await heard(channels, pool)), pool, detector));
    say(name);
  }
  judge(`made calls (${made.length})`, null, made);
  await pool.close();
  return {
    title: 'Short replies of calls in mono, and all words: the voice that they are given to',
    columns: [
      'call',
      'one side moved, s',
      'rule',
      'short replies',
      'right voice',
      'wrong voice',
      'not found',
      'words',
      'wrong voice, % of words',
      'words moved',
      'of them wrongly',
    ],
    rows,
    note: 'The channels are the truth. Short: up to 3 words or under 1.2 s, between pauses of .5 s in their own channel. Recognised by fast. Not found: no word of it is among the words of the mix at its time. No rule is part of the pipeline.',
  };
}
