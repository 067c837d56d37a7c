import type { LexicalMarkers } from '../../../../src/contract/timeline.ts';
import type { CommitmentMarkers, Prosody } from '../../../../src/contract/timeline-entry.ts';
import type { Language } from '../../../../src/conversation/language.ts';
import { deviations, silence } from '../../../../src/conversation/sentences/wording.ts';
import { unjudgedReason } from '../../prosody/description.ts';
import {
  type DeliveryManner,
  DISFLUENT,
  isCompared,
  mannerOf,
  oneOf,
  REMARKABLE_SILENCE_MS,
} from '../../prosody/manner.ts';

/** Marker scores from which a voice sounds settled, unsure or lively. */
const SETTLED = 0.62;
const UNSETTLED = 0.38;
/** Most sentences in the reasoning. */
const MOST_SENTENCES = 3;

/** The impression that a voice makes on a listener. */
export interface VoiceImpression {
  acoustic_reasoning: string;
  delivery_style: string;
}

/** Describes the delivery of an utterance. Every number in it is a field of `prosody`, as in `describeDelivery`. */
export function impressionOf(
  prosody: Prosody,
  markers: CommitmentMarkers,
  lexical: LexicalMarkers,
  { delivery }: Pick<Language, 'delivery'>,
  seconds = prosody.duration,
): VoiceImpression {
  const reason = unjudgedReason(prosody, seconds);
  if (reason !== null)
    return {
      acoustic_reasoning: `${delivery.unjudged(reason)}; the reading rests on the words.`,
      delivery_style: 'not judged',
    };
  const manner = mannerOf(prosody);
  return {
    acoustic_reasoning: reasoning(prosody, markers, lexical, manner),
    delivery_style: style(prosody, lexical, manner),
  };
}

/** Typical meanings of the cues, most significant first. A listener can check every claim against the numbers. */
function reasoning(
  prosody: Prosody,
  markers: CommitmentMarkers,
  lexical: LexicalMarkers,
  manner: DeliveryManner,
): string {
  const sentences = [
    ...activation(prosody, manner),
    ...thinking(prosody, manner),
    ...ending(prosody, lexical),
    ...certainty(prosody, markers),
  ].slice(0, MOST_SENTENCES);
  if (prosody.confidence_reason !== undefined) sentences.push(`Interpret with care: ${prosody.confidence_reason}.`);
  if (sentences.length > 0) return sentences.join(' ');
  if (!isCompared(prosody)) return 'Without more speech from this speaker, the voice alone says little.';
  return oneOf(prosody, [
    "The voice stays within this speaker's usual range and adds nothing to the words.",
    'Nothing in pitch, loudness or pace points to a particular feeling.',
    'An ordinary voice for this speaker; the words carry the meaning here.',
  ]);
}

function activation(prosody: Prosody, { loud, high, fast }: DeliveryManner): string[] {
  const pitch = deviations(prosody.pitch_z);
  const energy = deviations(prosody.energy_z);
  const rate = deviations(prosody.rate_z);
  if (loud > 0 && high > 0)
    return [
      `${oneOf(prosody, ['Pitch and loudness are both up', 'The voice is raised and louder'])} (${pitch} and ${energy}), which may be a sign of strong feeling; the voice alone does not show whether it is pleasure or annoyance.`,
    ];
  if (loud < 0 && high < 0)
    return [
      `${oneOf(prosody, ['Both pitch and loudness are down', 'The voice has dropped and softened'])} (${pitch} and ${energy}), which may mean low energy: tired, sad, or simply at ease.`,
    ];
  if (loud > 0 && high < 0)
    return [`The voice is louder (${energy}) but lower (${pitch}), which may come across as firm rather than excited.`];
  if (loud > 0) return [`The extra loudness (${energy}) at an ordinary pitch may be emphasis rather than excitement.`];
  if (high > 0)
    return [
      loud < 0
        ? `A higher (${pitch}) but quieter (${energy}) voice may come from tension or from politeness.`
        : `The pitch is up (${pitch}) without more loudness, which can mean interest, tension or a question.`,
    ];
  if (loud < 0)
    return [
      `The voice is quieter than usual (${energy}): the speaker may hold back or have turned away from the microphone.`,
    ];
  if (fast > 0) return [`The pace is up (${rate}), which may be a sign of fluency or of hurry.`];
  return [];
}

function thinking(prosody: Prosody, { pausing, fast }: DeliveryManner): string[] {
  const late = prosody.pause_before_ms >= REMARKABLE_SILENCE_MS;
  const share = (100 * prosody.pause_ratio).toFixed(0);
  if (pausing && fast < 0)
    return [
      `Pauses take ${share} % and the pace is down (${deviations(prosody.rate_z)}), which may be thinking while speaking.`,
    ];
  if (pausing && late)
    return [
      `It began after ${silence(prosody.pause_before_ms)} of silence, and pauses take ${share} %: the words may not come easily.`,
    ];
  if (pausing) return [`The pauses (${share} % of the time) leave room for thought.`];
  if (late)
    return [
      oneOf(prosody, [
        `It began only after ${silence(prosody.pause_before_ms)} of silence.`,
        `A silence of ${silence(prosody.pause_before_ms)} comes before it: a topic may have ended, or the speaker may weigh an answer.`,
      ]),
    ];
  return fast < 0 ? [`The slow pace (${deviations(prosody.rate_z)}) without long pauses sounds deliberate.`] : [];
}

function ending({ final_contour, final_slope_st }: Prosody, { is_question }: LexicalMarkers): string[] {
  const st = Math.abs(final_slope_st).toFixed(1);
  if (final_contour === 'rising')
    return [
      is_question
        ? `The question ends with a rise of ${st} semitones.`
        : `The end rises by ${st} semitones although the words are not a question: the speaker may not have finished or may seek agreement.`,
    ];
  return final_contour === 'falling' && is_question
    ? [`It is worded as a question but falls by ${st} semitones, as when the answer is expected.`]
    : [];
}

function certainty(
  { final_contour }: Prosody,
  { commitment_score, energy_strength, pitch_contour }: CommitmentMarkers,
): string[] {
  const score = commitment_score.toFixed(2);
  if (commitment_score >= SETTLED) {
    if (final_contour === 'falling' && energy_strength > 0.5)
      return [`Full voice and a falling end: it sounds settled (commitment ${score}).`];
    return [`The delivery sounds settled (commitment ${score}).`];
  }
  if (commitment_score > UNSETTLED) return [];
  return [
    `${pitch_contour < 0.5 && energy_strength < 0.5 ? 'Soft and open at the end, it' : 'It'} sounds unsure (commitment ${score}).`,
  ];
}

/** One or two words for the delivery as a whole. The first that apply are used. */
function style(prosody: Prosody, lexical: LexicalMarkers, manner: DeliveryManner): string {
  const { loud, high, fast } = manner;
  const halting = manner.pausing && (fast < 0 || lexical.disfluency_rate > DISFLUENT);
  if (halting || lexical.disfluency_rate > 2 * DISFLUENT) return 'hesitant';
  if (loud > 0 && high > 0) return fast > 0 ? 'excited' : 'animated';
  if (loud < 0 && high < 0) return fast < 0 ? 'subdued and slow' : 'subdued';
  if (loud > 0) return fast > 0 ? 'forceful and brisk' : 'forceful';
  if (high > 0) return loud < 0 ? 'thin and raised' : 'raised';
  if (loud < 0) return 'quiet';
  if (fast !== 0) return fast > 0 ? 'brisk' : 'unhurried';
  if (high < 0) return 'low and calm';
  if (lexical.is_question && prosody.final_contour === 'rising') return 'questioning';
  return manner.pausing ? 'measured, with pauses' : 'even';
}
