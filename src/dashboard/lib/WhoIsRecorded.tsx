import { useState } from 'preact/hooks';
import type { AffectMode } from '../../sdk/wire.ts';
import '../style/who-is-recorded.css';
import { AiActNotice } from './AiActNotice.tsx';
import { Icon } from './icons.tsx';
import { outage } from './session.ts';

export type Recorded = 'public' | 'staff' | 'both';

/**
 * The affect mode for a kind of recording. Affect is off for the user's own staff, and for a mixture until the speakers
 * are identified.
 */
export const affectFor = (recorded: Recorded): AffectMode => (recorded === 'public' ? 'full' : 'none');

const ANSWERS: readonly [Recorded, string, string][] = [
  [
    'public',
    'Customers or the public, and they have been informed',
    'Emotion is estimated. In the EU you must inform these people.',
  ],
  [
    'staff',
    'Our own staff, applicants, pupils or students',
    'Emotion is left out, because EU law prohibits it at work and in education: only words, timing and moments.',
  ],
  ['both', 'Both', 'Emotion is left out for everyone. Afterwards you can mark your own people and analyse again.'],
];

/** The one question before an analysis. It has to be answered. */
export function WhoIsRecorded(p: {
  value: Recorded | undefined;
  choose: (value: Recorded) => void;
  /** Names of the files that start once the question is answered. */
  waiting?: readonly string[];
}) {
  const [isOpen, open] = useState(false);
  return (
    <fieldset class="who1 recorded">
      <legend>Who is being recorded?</legend>
      {p.value === undefined && <p class="choose1">Choose one before you start.</p>}
      <div class="radio">
        {ANSWERS.map(([value, title, what]) => (
          <label key={value}>
            <input
              type="radio"
              name="recorded"
              value={value}
              checked={p.value === value}
              onChange={() => p.choose(value)}
            />
            <span>
              {title}
              <small>{what}</small>
            </span>
          </label>
        ))}
      </div>
      {p.waiting !== undefined && p.waiting.length > 0 && (
        <p class="waits" role="status">
          <Icon name="clock" size={16} />
          <span>
            <bdi>{p.waiting.join(', ')}</bdi> {p.waiting.length === 1 ? 'starts' : 'start'} as soon as you answer this
            {outage.value !== undefined && ' and the service responds'}.
          </span>
        </p>
      )}
      <div class="notice">
        <Icon name="shield" size={16} />
        <span>
          Emotion recognition falls under the EU AI Act.
          <button type="button" class="link" onClick={() => open(true)}>
            What to tell the people recorded
          </button>
        </span>
      </div>
      {isOpen && <AiActNotice close={() => open(false)} />}
    </fieldset>
  );
}
