/**
 * The tabs of this origin that are open in the same browser, and the key that they hand to a new tab. A tab keeps its
 * key in its own session storage, so the key ends with the last tab. The browser delivers these messages only to pages
 * of the same origin, including the port, whereas all ports of a host share its cookies.
 */
type Message = { asks: true } | { key: string; usedAt: number } | { signedOut: string };

/** How long a new tab waits for answers before it shows the sign-in form, ms. A later answer still signs it in. */
const ANSWERS_MS = 200;
/** How long a late answer is still accepted, ms. */
const LATE_MS = 10_000;

const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('undertone.key');
/** Unix time of the last click or key press in this tab, ms. */
let usedAt = 0;

/** The functions of this tab that the exchange needs. */
export interface TabKey {
  /** The key of this tab. */
  current: () => string | undefined;
  /** Signs this tab out. */
  forget: () => void;
}

/** Sends new tabs the key of this one, and signs this tab out when another tab with the same key signs out. */
export function joinOpenTabs({ current, forget }: TabKey): void {
  if (!channel) return;
  for (const use of ['pointerdown', 'keydown'])
    addEventListener(
      use,
      () => {
        usedAt = Date.now();
      },
      { capture: true, passive: true },
    );
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    const key = current();
    if (key === undefined) return;
    if ('asks' in data) send({ key, usedAt });
    else if ('signedOut' in data && data.signedOut === key) forget();
  });
}

/**
 * Asks the other tabs for their key. If there are several, the key of the most recently used tab is taken.
 * @param take called with a key, or with undefined if there is no answer in time and then again if a late answer
 * arrives
 */
export function askOpenTabs(take: (key: string | undefined) => void): void {
  if (!channel) {
    take(undefined);
    return;
  }
  let best: { key: string; usedAt: number } | undefined;
  let isOver = false;
  const hear = ({ data }: MessageEvent<Message>): void => {
    if (!('key' in data)) return;
    if (!best || data.usedAt > best.usedAt) best = data;
    if (isOver) settle();
  };
  const settle = (): void => {
    isOver = true;
    if (best) stop();
    take(best?.key);
  };
  const stop = (): void => channel.removeEventListener('message', hear);
  channel.addEventListener('message', hear);
  setTimeout(settle, ANSWERS_MS);
  setTimeout(stop, LATE_MS);
  send({ asks: true });
}

/** Signs out the other tabs with the same key. */
export const announceSignOut = (key: string): void => send({ signedOut: key });

const send = (message: Message): void => channel?.postMessage(message);
