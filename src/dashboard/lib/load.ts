import { useCallback, useEffect, useState } from 'preact/hooks';

export interface Loaded<T> {
  value: T | undefined;
  error: unknown;
  /** Whether loading takes long enough to show a placeholder. */
  isSlow: boolean;
  again: () => void;
}

/** Delay before a placeholder is shown, ms. */
const SLOW_MS = 300;

/** Loads the data of a page, and reloads it whenever its dependencies change. An outdated response is ignored. */
export function useLoaded<T>(ask: (signal: AbortSignal) => Promise<T>, dependsOn: readonly unknown[]): Loaded<T> {
  const [turn, setTurn] = useState(0);
  const [state, setState] = useState<{ value?: T; error?: unknown; isSlow: boolean }>({ isSlow: false });
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const isFailed = state.error !== undefined;
  useEffect(() => {
    if (!isFailed) return;
    addEventListener('online', again);
    return () => removeEventListener('online', again);
  }, [isFailed, again]);
  useEffect(() => {
    const leave = new AbortController();
    const timer = setTimeout(() => setState((before) => ({ ...before, isSlow: true })), SLOW_MS);
    ask(leave.signal)
      .then(
        (value) => leave.signal.aborted || setState({ value, isSlow: false }),
        (error: unknown) => leave.signal.aborted || setState((before) => ({ ...before, error, isSlow: false })),
      )
      .finally(() => clearTimeout(timer));
    return () => {
      clearTimeout(timer);
      leave.abort();
    };
  }, [...dependsOn, turn]);
  return { value: state.value, error: state.error, isSlow: state.isSlow, again };
}
