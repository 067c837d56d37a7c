import { signal } from '@preact/signals';
import { Microphone } from '../../sdk/microphone.ts';
import workletUrl from '../../sdk/pcm-worklet.ts?worker&url';

const KEPT = 'undertone.microphone';
/** Entries that a browser adds for its own choice. */
const BROWSERS_CHOICE = ['default', 'communications'];

export interface Device {
  id: string;
  label: string;
}

/** The microphones of this computer. Empty until the page has permission to use one. */
export const devices = signal<readonly Device[]>([]);
/** The microphone that the user chose, also on an earlier visit. Undefined: the browser chooses. */
export const chosenDevice = signal<Device | undefined>(keptDevice());

export async function findDevices(): Promise<void> {
  const found = await Microphone.devices().catch(() => []);
  devices.value = found
    .filter(({ deviceId, label }) => label !== '' && !BROWSERS_CHOICE.includes(deviceId))
    .map(({ deviceId, label }) => ({ id: deviceId, label }));
  // Some browsers give a device another id at each visit.
  const chosen = chosenDevice.peek();
  const named = devices.peek().filter(({ label }) => label === chosen?.label);
  if (named[0] && !named.some(({ id }) => id === chosen?.id)) [chosenDevice.value] = named;
}

/** Requests the microphone, because a browser names the devices only with permission. @throws UndertoneError */
export async function requestDevices(): Promise<void> {
  const microphone = await Microphone.open({ workletUrl });
  await findDevices();
  microphone.stop();
}

/** @param id of a device in `devices`; undefined lets the browser choose */
export function chooseDevice(id: string | undefined): void {
  const device = devices.peek().find((one) => one.id === id);
  chosenDevice.value = device;
  try {
    if (device) localStorage.setItem(KEPT, JSON.stringify(device));
    else localStorage.removeItem(KEPT);
  } catch {
    // It is kept for this visit only.
  }
}

function keptDevice(): Device | undefined {
  try {
    const { id, label } = JSON.parse(localStorage.getItem(KEPT) ?? '{}') as Partial<Device>;
    return typeof id === 'string' && typeof label === 'string' ? { id, label } : undefined;
  } catch {
    return undefined;
  }
}
