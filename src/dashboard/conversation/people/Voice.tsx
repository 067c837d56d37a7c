import { plus } from '../../lib/format.ts';
import { Confidence } from '../../lib/speaker-marks.tsx';
import { LEAST_FOR_USUAL, type UtteranceLine } from '../model.ts';
import { Fact, Notice } from './parts.tsx';
import { Deviation } from './tracks.tsx';

const semitones = (value: number): string => `${plus(value, 1)} semitones`;

interface VoiceProps {
  line: UtteranceLine;
  name: string;
  /** Number of the speaker's utterances whose voice was measured. */
  measured: number;
  isHidden: boolean;
}

/** Measures of the voice. They are compared with the speaker's usual voice only if there is enough of it. */
export function Voice({ line, name, measured, isHidden }: VoiceProps) {
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
            <Deviation name="Pitch" z={voice.pitch_z} value={measures.Pitch} />
            <Deviation name="Loudness" z={voice.energy_z} value={measures.Loudness} />
            <Deviation name="Pace" z={voice.rate_z} value={measures.Pace} />
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
          {voice.final_contour === 'unknown'
            ? 'not measured'
            : `${voice.final_contour}, ${semitones(voice.final_slope_st)}`}
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
            {Math.round(voice.pitch_std)} / {Math.round(voice.pitch_range)} Hz
          </Fact>
          <Fact name="Energy (RMS, full scale 1)">{voice.energy_rms.toFixed(3)}</Fact>
          <Fact name="Articulation">{voice.articulation_rate.toFixed(1)} syl/s</Fact>
          <Fact name="Voiced">{Math.round(voice.voiced_ratio * 100)} %</Fact>
          <Fact name="Harmonics to noise">{voice.hnr_db.toFixed(1)} dB</Fact>
          <Fact name="Jitter / shimmer">
            {(voice.jitter * 100).toFixed(1)} / {(voice.shimmer * 100).toFixed(1)} %
          </Fact>
          <Fact name="Alpha ratio">{voice.alpha_ratio_db.toFixed(1)} dB</Fact>
          <Fact name="Spectral centroid">{Math.round(voice.spectral_centroid)} Hz</Fact>
        </dl>
      </details>
    </section>
  );
}
