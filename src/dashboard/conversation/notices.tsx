import '../style/conversation/notices.css';
import { MOMENT_CATEGORIES } from '../../sdk/wire.ts';
import { Dialog } from '../lib/dialog.tsx';
import { Confidence, Glyph } from '../lib/speaker-marks.tsx';
import { ToneMark } from '../lib/tone-mark.tsx';

const KEYS: readonly [readonly string[], string][] = [
  [['Space'], 'play, pause'],
  [['←', '→'], '5 s back, forward (Shift: 1 s)'],
  [['↑', '↓', 'K', 'J'], 'previous, next utterance'],
  [['Enter'], 'open the utterance’s measures'],
  [['Esc'], 'close; leave search'],
  [['M', 'Shift M'], 'next, previous moment'],
  [['P', 'Shift P'], 'next, previous phase'],
  [['/'], 'search; Enter next, Shift Enter previous'],
  [['F'], 'follow what is playing'],
  [['U'], 'underline uncertain words'],
  [['1', '8'], 'show only this person; again for all'],
  [['[', ']'], 'slower, faster'],
  [['+', '−'], 'zoom'],
  [['C'], 'copy a link to this second'],
  [['?'], 'show this list'],
];

export function KeyMap(p: { close: () => void; isOn: boolean; switchKeys: (on: boolean) => void }) {
  return (
    <Dialog title="Keyboard" close={p.close}>
      <div class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <span>{what}</span>
            <span>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </span>
          </div>
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={p.isOn} onChange={(e) => p.switchKeys(e.currentTarget.checked)} /> Single keys
        act. They are inactive while a field has the focus.
      </label>
    </Dialog>
  );
}

export function HowToRead({ close }: { close: () => void }) {
  return (
    <Dialog title="How to read this page" close={close}>
      <div class="enc">
        <ToneMark valence={0.72} arousal={0.6} hollow={false} width={48} height={26} />
        <span>
          <b>Tone mark,</b> beside each utterance. Above the line: more positive than neutral (valence). Below: more
          negative. Thicker: livelier (arousal). The colour, or with forced colours a sign, repeats the height. Without
          measured audio, all marks are thin. The strokes in the timeline say the same, in the colour of their speaker.
        </span>
        <ToneMark valence={0.55} arousal={0.45} hollow width={48} height={26} />
        <span>
          <b>Hollow.</b> The words were hard to hear, or there was too little voice. Do not rely on it.
        </span>
        <svg width="48" height="26" viewBox="0 0 48 26" aria-hidden="true">
          <path d="M1 13C9 3 17 3 24 13Z" fill="var(--pos-1)" />
          <path d="M24 13c7 10 15 10 23 0Z" fill="var(--neg-1)" />
        </svg>
        <span>
          <b>Ribbon.</b> In a long conversation, the mean tone of all speakers instead of single marks. The marks over
          it are the utterances that stand out most, in the colour and with the letter of their speaker.
        </span>
        <svg width="48" height="26" viewBox="0 0 48 26" aria-hidden="true">
          <path d="M24 6v18" stroke="var(--ink-4)" stroke-dasharray="1 3" />
          <circle cx="24" cy="4" r="2.6" fill="var(--ink-3)" />
        </svg>
        <span>
          <b>Dot with a dotted line.</b> A lasting change of tone: of one speaker, or of the conversation as a whole.
        </span>
        <span class="who">
          {MOMENT_CATEGORIES.slice(0, 2).map(({ name }) => (
            <Glyph key={name} kind={name} />
          ))}
        </span>
        <span>
          <b>Moments</b> differ by shape:{' '}
          {MOMENT_CATEGORIES.map(({ name, label }, i) => (
            <>
              {i > 0 && ', '}
              <span class="sign1">
                <Glyph kind={name} size={13} /> {label.toLowerCase()}
              </span>
            </>
          ))}
          . A promise has a flag. Hollow and dashed: unsure. An arc joins an offer to its answer. A number counts the
          moments that share a place, dashed if all are unsure; in a long conversation, a bar with a number counts those
          of each quarter of an hour, for example. Zoom in to see them one by one.
        </span>
        <span class="cfds">
          <Confidence value={0.86} />
          <Confidence value={0.62} />
          <Confidence value={0.41} />
        </span>
        <span>
          <b>Confidence</b> in three steps: sure from .75, likely from .50, unsure below.
        </span>
        <span class="num">+1.4 σ</span>
        <span>
          <b>Compared with the person’s usual voice</b> in this recording, in standard deviations, from three utterances
          of the person on. From one deviation on it is also described in words.
        </span>
      </div>
      <h3>What it cannot tell</h3>
      <p>
        Not truth, health, ability or what someone felt. Irony is taken literally. Fear and disgust are rarely
        recognised correctly in conversation. Commitment, passion and conviction are computed from the delivery and not
        checked against labelled data. Moments are pointers into the conversation, not a record of what was agreed.
      </p>
    </Dialog>
  );
}
