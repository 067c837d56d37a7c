import { MOMENT_CATEGORIES } from '../../sdk/wire.ts';
import { Dialog } from '../lib/dialog.tsx';
import { Icon } from '../lib/icons.tsx';
import { Confidence, Glyph, ToneMark } from '../lib/speaker-marks.tsx';

const KEYS: readonly [readonly string[], string][] = [
  [['Space'], 'play, pause'],
  [['←', '→'], '5 s back, on (Shift: 1 s)'],
  [['↑', '↓', 'K', 'J'], 'utterance before, after'],
  [['Enter'], 'open the utterance’s measures'],
  [['Esc'], 'close; leave search'],
  [['M', 'Shift M'], 'next, previous moment'],
  [['P', 'Shift P'], 'next, previous phase'],
  [['/'], 'search; Enter next, Shift Enter previous'],
  [['F'], 'follow what is playing'],
  [['U'], 'underline unsure words'],
  [['1', '8'], 'only this person; again: all'],
  [['[', ']'], 'slower, faster'],
  [['+', '−'], 'zoom'],
  [['C'], 'copy a link to this second'],
  [['?'], 'this list'],
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
        act. They never do while a field has the focus.
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
          <b>Tone mark.</b> Above the line: more positive than neutral (valence). Below: more negative. Thicker:
          livelier (arousal). The colour repeats the height.
        </span>
        <ToneMark valence={0.55} arousal={0.45} hollow width={48} height={26} />
        <span>
          <b>Hollow.</b> The words were hard to hear, or there was too little voice. Do not lean on it.
        </span>
        <span class="who">
          {MOMENT_CATEGORIES.slice(0, 2).map(({ name }) => (
            <Glyph key={name} kind={name} />
          ))}
        </span>
        <span>
          <b>Moments</b> differ in shape: {MOMENT_CATEGORIES.map(({ label }) => label.toLowerCase()).join(', ')}. Grey
          and dashed: unsure. An arc joins an offer to its answer.
        </span>
        <span>
          <Confidence value={0.86} />
          <br />
          <Confidence value={0.62} />
          <br />
          <Confidence value={0.41} />
        </span>
        <span>
          <b>Confidence</b> in three steps: sure from .75, likely from .50, unsure below.
        </span>
        <span class="num">+1.4 σ</span>
        <span>
          <b>Against the person’s own usual voice</b> in this recording, in standard deviations. It is told in words
          from one deviation on.
        </span>
      </div>
      <h3>What it cannot tell</h3>
      <p>
        Not truth, health, ability or what someone felt. Irony is read as said. Fear and disgust are hardly ever right
        in talk. Commitment, passion and conviction are indices of delivery with no labels behind them. Moments are
        pointers into the conversation, not a record of what was agreed.
      </p>
    </Dialog>
  );
}

export function AiActNotice({ close }: { close: () => void }) {
  return (
    <Dialog title="EU AI Act notice" close={close}>
      <p>
        Undertone estimates emotion from how people speak and what they say. In the EU this makes it an emotion
        recognition system (Regulation (EU) 2024/1689, Article 3(39)).
      </p>
      <h3>Tell the people recorded</h3>
      <p>
        Whoever uses it must inform the people it is used on, clearly and at the latest at their first exposure, and
        process their data lawfully (Article 50(3), in force since 2 August 2026; GDPR).
      </p>
      <div class="notice">
        <Icon name="copy" size={16} />
        <span>
          “This call is recorded. Software transcribes it and estimates from your words and voice how the conversation
          goes, including emotion. You may object now or at any time.”
        </span>
      </div>
      <h3>Not at work, not in education</h3>
      <p>
        Inferring the emotions of employees, applicants, pupils or students from their voice is prohibited, unless for
        medical or safety reasons (Article 5(1)(f), since 2 February 2025). A call’s customer side may be read where the
        other rules are met; your own staff’s side may not. Mark such speakers and their tone, emotion, engagement and
        conviction are left out.
      </p>
      <h3>High-risk duties</h3>
      <p>Other uses are high-risk (Annex III); those duties start on 2 December 2027.</p>
      <p class="t-lab muted">A summary for orientation, not legal advice.</p>
    </Dialog>
  );
}
