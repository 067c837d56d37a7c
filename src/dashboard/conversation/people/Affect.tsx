import type { Pad } from '../../../sdk/wire.ts';
import { two } from '../../lib/format.ts';
import { Confidence } from '../../lib/speaker-marks.tsx';
import { toneColour } from '../../lib/tone-mark.tsx';
import type { Felt } from '../model.ts';
import { isOfWordsAlone } from '../tone-words.ts';
import { Bars, MeasureScale } from './tracks.tsx';

const EMOTIONS = ['joy', 'sadness', 'anger', 'fear', 'surprise', 'disgust', 'neutral'] as const;
const COGNITIVE_SIGNALS = ['focused', 'confused', 'engaged', 'disengaged', 'thoughtful', 'uncertain'] as const;

const wordOf = (value: number, low: number, high: number, words: readonly [string, string, string]): string =>
  words[value < low ? 0 : value > high ? 2 : 1];

/** Affect of one utterance: tone, emotion, delivery, attention. */
export function Affect({ tone, felt, name }: { tone: Pad; felt: Felt; name: string }) {
  const { valence, arousal, dominance } = tone;
  const top = felt.dominant_emotion;
  const fromWords = isOfWordsAlone(felt);
  const strongest = Math.max(...EMOTIONS.map((emotion) => felt.emotions[emotion]));
  const said = strongest < 0.4 ? 'No emotion stands out.' : top === 'neutral' ? 'Mostly neutral.' : `Most like ${top}.`;
  return (
    <>
      <section>
        <h3 class="sec">
          Tone
          <span class="rt t-cap muted">{fromWords ? 'from the words alone' : 'words and voice together'}, 0 to 1</span>
        </h3>
        <MeasureScale
          name="Valence"
          value={valence}
          word={wordOf(valence, 0.47, 0.53, ['negative', 'neutral', 'positive'])}
          colour={`var(--${toneColour(valence)})`}
        />
        <MeasureScale
          name="Arousal"
          value={arousal}
          word={wordOf(arousal, 0.42, 0.55, ['calm', 'moderate', 'lively'])}
          colour="var(--ink)"
        />
        <MeasureScale
          name="Dominance"
          value={dominance}
          word={two(dominance) === '0.50' ? 'in the middle' : 'tendency'}
          colour="var(--ink)"
        />
        <p class="t-cap muted">
          Valence: unpleasant to pleasant. Arousal: calm to excited. Dominance: giving way to in control. 0.50 is in the
          middle.
        </p>
      </section>
      <section>
        <h3 class="sec">
          Emotion
          <span class="rt">
            <Confidence value={felt.emotion.confidence} of="emotion named" />
          </span>
        </h3>
        <Bars
          top={top}
          rows={EMOTIONS.map((emotion) => [
            emotion,
            felt.emotions[emotion],
            `${Math.round(felt.emotions[emotion] * 100)} %`,
          ])}
        />
        <p class="t-cap muted">
          {said} {felt.emotion.confidence < 0.5 ? 'Too uncertain to show in the transcript. ' : ''}Irony is taken
          literally.
        </p>
      </section>
      <section>
        <h3 class="sec">
          {fromWords ? 'Wording' : 'Delivery'}
          <span class="rt t-cap muted">0 to 1</span>
        </h3>
        <div class="trio">
          {(
            [
              ['Commitment', felt.commitment_score, felt.commitment_level],
              ['Passion', felt.passion_score, felt.passion_level.replace(/ly_passionate/, '')],
              ['Conviction', felt.conviction_score, felt.conviction_level],
            ] as const
          ).map(([title, score, level]) => (
            <div key={title}>
              <span>{title}</span>
              <b>{two(score)}</b> <small>{level}</small>
            </div>
          ))}
        </div>
        <p class="t-cap muted">
          Commitment: how settled. Passion: how animated. Conviction: commitment that is said with energy, so it can be
          above both. Computed from the {fromWords ? 'words' : 'delivery'} and not checked against labelled data. They
          do not measure sincerity.
        </p>
      </section>
      <section>
        <h3 class="sec">
          Attention
          <span class="rt t-cap muted">0 to 1; amount of evidence {two(felt.cognitive.confidence)}</span>
        </h3>
        <Bars rows={COGNITIVE_SIGNALS.map((s) => [s, felt.cognitive_signals[s], two(felt.cognitive_signals[s])])} />
        <p class="t-cap muted">
          Mental load (from {fromWords ? 'fillers and repeats' : 'fillers, pauses and pace'}): {felt.load_level}. Not
          checked against labelled data: compare {name} only with {name}.
        </p>
      </section>
    </>
  );
}
