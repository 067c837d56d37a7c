import { useEffect, useState } from 'preact/hooks';
import { ErrorMessage } from '../lib/error-message.tsx';
import { Icon } from '../lib/icons.tsx';
import { chooseDevice, chosenDevice, devices, findDevices, requestDevices } from './microphones.ts';

/** Keeps the list of microphones current while it is shown. */
function useDevices(): void {
  useEffect(() => {
    const look = (): void => void findDevices();
    look();
    navigator.mediaDevices?.addEventListener('devicechange', look);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', look);
  }, []);
}

/**
 * The microphones to choose from.
 * @param current name of the device that records now
 * @param choose receives undefined when the browser shall choose
 */
export function MicrophoneSelect(p: { current?: string; choose: (id: string | undefined) => void }) {
  useDevices();
  const chosen = chosenDevice.value;
  const isThere = devices.value.some(({ id }) => id === chosen?.id);
  return (
    <select
      class="inp mic"
      aria-label="Microphone"
      value={isThere ? chosen?.id : ''}
      onChange={(e) => p.choose(e.currentTarget.value || undefined)}
    >
      <option value="">{p.current && !isThere ? p.current : 'Chosen by the browser'}</option>
      {devices.value.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  );
}

/** The choice of a microphone before a session. */
export function MicrophoneField() {
  useDevices();
  const [error, setError] = useState<unknown>(undefined);
  const chosen = chosenDevice.value;
  const isKnown = devices.value.length > 0;
  const isGone = isKnown && chosen !== undefined && !devices.value.some(({ id }) => id === chosen.id);
  return (
    <div class="field">
      <span>Microphone</span>
      {isKnown ? (
        <MicrophoneSelect choose={chooseDevice} />
      ) : (
        <p>
          {chosen?.label ?? 'Chosen by the browser'}{' '}
          <button
            type="button"
            class="link"
            onClick={() => {
              setError(undefined);
              requestDevices().catch(setError);
            }}
          >
            Choose another
          </button>
        </p>
      )}
      {isGone && (
        <p class="waits" role="status">
          <Icon name="warning" size={16} />
          <span>{chosen.label} is not connected. Until it is, the browser chooses.</span>
        </p>
      )}
      {error !== undefined && <ErrorMessage error={error} />}
    </div>
  );
}
