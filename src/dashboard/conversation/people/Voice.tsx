import { plus } from '../../lib/format.ts';
import { Confidence } from '../../lib/speaker-marks.tsx';
import { type ConversationView, isWellMeasured, LEAST_FOR_USUAL, type UtteranceLine } from '../model.ts';
import { Fact, Notice } from './parts.tsx';
import { Deviation } from './tracks.tsx';
import { comparedWords, type Directions, wordsForMeasure } from './usual.ts';

const semitones = (value: number): string => `${plus(value, 1)} semitones`;

interface VoiceProps {
  conversation: ConversationView;
  line: UtteranceLine;
  name: string;
  /** Number of the speaker's utterances whose voice was measured. */
  measured: number;
  isHidden: boolean;
}

/** Measures of the voice. They are compared with the speaker's usual voice only if there is enough of it. */
export function Voice({ conversation, line, name, measured, isHidden }: VoiceProps) {
  const { voice, entry, isComparable } = line;
  if (!voice)
    return (
      <section>
        <h3 class="sec">How it sounded</h3>
        <Notice kind="info">
          The audio of this utterance could not be measured. Everything below is based on the words alone.
        </Notice>
      </section>
    );
  const stressed = entry.acoustic?.emphasis_points ?? [];
  const measures = {
    Pitch: `${Math.round(voice.pitch_hz)} Hz`,
    Loudness: `${plus(voice.intensity_db, 0)} dB`,
    Pace: `${voice.speech_rate.toFixed(1)} syl/s`,
  };
  const usual = (z: number, directions: Directions) => ({
    z,
    word: isWellMeasured(line) ? comparedWords(z, directions) : undefined,
  });
  const worded = (measure: Parameters<typeof wordsForMeasure>[2], directions: Directions, value: string) => {
    const words = wordsForMeasure(conversation, line, measure, directions);
    return words === undefined ? (
      value
    ) : (
      <>
        {words} <small>{value}</small>
      </>
    );
  };
  return (
    <section>
      <h3 class="sec">
        How it sounded
        <span class="rt">
          <Confidence value={voice.confidence} of="voice measured" />
        </span>
      </h3>
      {voice.confidence < 0.5 && (
        <Notice kind="info">{voice.confidence_reason ?? 'Too little voice to measure'}: not assessed.</Notice>
      )}
      {isComparable ? (
        <>
          <p class="says">{entry.prosody_desc}</p>
          {!isHidden && entry.acoustic_reasoning && <p class="says">{entry.acoustic_reasoning}</p>}
          <div class="zrs">
            <Deviation name="Pitch" {...usual(voice.pitch_z, ['lower', 'higher'])} value={measures.Pitch} />
            <Deviation name="Loudness" {...usual(voice.energy_z, ['quieter', 'louder'])} value={measures.Loudness} />
            <Deviation name="Pace" {...usual(voice.rate_z, ['slower', 'faster'])} value={measures.Pace} />
          </div>
          <p class="t-cap muted">
            Shaded: <bdi>{name}</bdi>’s usual range in this recording (±1 standard deviation, σ).
          </p>
        </>
      ) : (
        <Notice kind="info">
          Not compared with <bdi>{name}</bdi>’s usual voice: that takes {LEAST_FOR_USUAL} measured utterances, and{' '}
          {measured === 0 ? 'none was' : measured === 1 ? 'only one was' : `only ${measured} were`} measured.
        </Notice>
      )}
      <dl class="kv">
        {!isComparable &&
          Object.entries(measures).map(([measure, value]) => (
            <Fact key={measure} name={measure}>
              {value}
            </Fact>
          ))}
        <Fact name="Pitch at the end">
          {voice.final_contour === 'unknown' ? (
            'not measured'
          ) : (
            <>
              {voice.final_contour} <small>{semitones(voice.final_slope_st)}</small>
            </>
          )}
        </Fact>
        <Fact name="Silence before">{(voice.pause_before_ms / 1000).toFixed(1)} s</Fact>
        <Fact
          name="Pauses within it"
          title="The measured audio begins a little before the utterance and ends a little after it."
        >
          {voice.pause_count === 0
            ? 'none'
            : `${voice.pause_count} of ${Math.round(voice.pause_mean_ms)} ms on average, ${Math.round(voice.pause_ratio * 100)}\u00a0% of the audio`}
        </Fact>
        {stressed.length > 0 && (
          <Fact name="Emphasised words (higher and louder)">
            {stressed.map((word) => word.replace(/\p{P}+$/u, '')).join(', ')}
          </Fact>
        )}
      </dl>
      <details>
        <summary>All voice measures</summary>
        <dl class="kv">
          <Fact name="Pitch spread / range">
            {worded(
              'pitch_std',
              ['more even', 'more varied'],
              `${Math.round(voice.pitch_std)} / ${Math.round(voice.pitch_range)} Hz`,
            )}
          </Fact>
          {/* Without words: loudness is judged once, on the logarithmic scale. */}
          <Fact name="Energy (RMS, full scale 1)">{voice.energy_rms.toFixed(3)}</Fact>
          <Fact name="Articulation">
            {worded('articulation_rate', ['slower', 'faster'], `${voice.articulation_rate.toFixed(1)} syl/s`)}
          </Fact>
          <Fact name="Voiced">
            {worded('voiced_ratio', ['less', 'more'], `${Math.round(voice.voiced_ratio * 100)} %`)}
          </Fact>
          <Fact name="Harmonics to noise">
            {worded('hnr_db', ['hoarser', 'clearer'], `${voice.hnr_db.toFixed(1)} dB`)}
          </Fact>
          <Fact name="Jitter / shimmer">
            {worded(
              'jitter',
              ['smoother', 'rougher'],
              `${(voice.jitter * 100).toFixed(1)} / ${(voice.shimmer * 100).toFixed(1)} %`,
            )}
          </Fact>
          <Fact name="Alpha ratio">
            {worded('alpha_ratio_db', ['brighter', 'softer'], `${voice.alpha_ratio_db.toFixed(1)} dB`)}
          </Fact>
          <Fact name="Spectral centroid">
            {worded('spectral_centroid', ['duller', 'brighter'], `${Math.round(voice.spectral_centroid)} Hz`)}
          </Fact>
        </dl>
      </details>
    </section>
  );
}
