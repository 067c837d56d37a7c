import type { ConversationSetting } from '../../contract/findings.ts';
import type { SpeakerCount } from '../../contract/media.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { isBackChannel } from '../text/back-channels.ts';
import { asks, utteranceAsks } from '../text/questions.ts';
import { splitSentences } from '../text/sentences.ts';

/** The ways in which a single voice can be reported. Its sound reveals more than its words. */
export type Alone = Extract<ConversationSetting, 'single_voice' | 'one_sided' | 'unknown'>;

/** The same, for a stored result. */
export const asAlone = (setting: ConversationSetting | undefined): Alone =>
  setting === 'one_sided' || setting === 'unknown' ? setting : 'single_voice';

/**
 * Signs that one label stands for several people. They were chosen on far-field meetings and calls with one label,
 * compared with recordings of one person (`bench -- diarization`, the table "One voice"). A needless warning costs less
 * than a group that is reported as one person.
 */
const SIGNS = {
  /**
   * Confidence below which an utterance was barely audible, as when people are far from the microphone; and the share
   * of these utterances.
   */
  faint: 0.67,
  faintShare: 0.2,
  /**
   * Minimum change of pitch from an utterance to the next one, semitones; and the shortest utterance whose pitch
   * counts, s.
   */
  jump: 4.5,
  voicedS: 0.5,
  /** Minimum number of answered questions, returned greetings and signs of listening. */
  exchanges: 2,
};
/** Longest silence after which the next words can answer the ones before, s. */
const ANSWERED_WITHIN_S = 1.5;

/** Facts about the speakers that the sound reveals. */
export interface SpeakerFacts {
  speakers: SpeakerCount;
  /** Whether one channel of a stereo recording is silent. */
  hasSilentChannel: boolean;
}

/** Length above which a silence counts as another person's turn that is missing from the recording, s. */
const LONG_SILENCE_S = 2;
/**
 * Minimum share of the time in such silences for one side of a conversation: calls have .00 to .09, sides .33 to .59.
 */
const UNANSWERED_SHARE = 0.25;
/** Minimum number of utterances after such a silence that answer somebody, for one side of a conversation. */
const ANSWERS = 2;

/** Classifies the only voice of a recording. The result counts only if there is one speaker. */
export function loneVoice(utterances: readonly Utterance[], language: Language, heard?: SpeakerFacts): Alone {
  if (new Set(utterances.map(({ speaker }) => speaker)).size !== 1) return 'single_voice';
  if (isOneSided(utterances, language, heard?.hasSilentChannel ?? false)) return 'one_sided';
  const isCountSure = heard?.speakers.source !== 'estimated' || heard.hasSilentChannel;
  return !isCountSure && mayBeSeveral(utterances, language) ? 'unknown' : 'single_voice';
}

/**
 * Whether the only voice is one side of a conversation: it leaves time for the other side, and answers it.
 * @param isOtherSilent whether the other channel of the recording contains no sound, so that any sign of a listener
 * counts
 */
function isOneSided(utterances: readonly Utterance[], language: Language, isOtherSilent: boolean): boolean {
  const { response, address } = language.participants;
  const responds = ({ text }: Utterance): boolean => response.test(text.trim());
  if (isOtherSilent && utterances.some((u) => responds(u) || address.test(u.text) || utteranceAsks(u, language)))
    return true;
  let silence = 0;
  let answers = 0;
  let end = utterances[0]?.t_start ?? 0;
  for (const utterance of utterances) {
    const gap = utterance.t_start - end;
    if (gap > LONG_SILENCE_S) {
      silence += gap;
      if (responds(utterance)) answers++;
    }
    end = Math.max(end, utterance.t_end);
  }
  const span = end - (utterances[0]?.t_start ?? 0);
  return answers >= ANSWERS && silence >= UNANSWERED_SHARE * span;
}

/**
 * Whether the only label may stand for several people: they are barely audible, sound unlike each other, or answer each
 * other.
 */
function mayBeSeveral(utterances: readonly Utterance[], language: Language): boolean {
  const faint = utterances.filter(({ asr_confidence }) => (asr_confidence ?? 1) < SIGNS.faint).length;
  return (
    faint >= SIGNS.faintShare * utterances.length ||
    utterances.some((utterance, i) => pitchJump(utterances[i - 1], utterance) >= SIGNS.jump) ||
    exchanges(utterances, language) >= SIGNS.exchanges
  );
}

/** Change of the median pitch between two utterances in close succession, semitones; 0 where it is not known. */
function pitchJump(before: Utterance | undefined, utterance: Utterance): number {
  if (!before || utterance.t_start - before.t_end > ANSWERED_WITHIN_S) return 0;
  const pitches = [before, utterance].map(({ t_start, t_end, prosody }) =>
    t_end - t_start >= SIGNS.voicedS ? prosody?.pitch_hz : undefined,
  );
  const [from, to] = pitches;
  return from && to ? 12 * Math.abs(Math.log2(to / from)) : 0;
}

/**
 * How often somebody seems to answer: a response to a question, a returned greeting, a sentence that shows listening.
 */
function exchanges(utterances: readonly Utterance[], language: Language): number {
  const { response, greeting } = language.participants;
  let count = 0;
  let before = '';
  let end = Number.NEGATIVE_INFINITY;
  for (const { t_start, t_end, text } of utterances) {
    if (t_start - end > ANSWERED_WITHIN_S) before = '';
    for (const sentence of splitSentences(text, language)) {
      const answers = before !== '' && asks(before, language) && response.test(sentence.text);
      const returns = greeting.test(before) && greeting.test(sentence.text);
      if (answers || returns || (before !== '' && isBackChannel(sentence.text, language))) count++;
      before = sentence.text;
    }
    end = t_end;
  }
  return count;
}
