import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { errorTextOf } from './error-texts.ts';
import { Icon } from './icons.tsx';
import { greet, outage, signOut } from './session.ts';
import { say, showTrouble } from './tip.tsx';

/** The problem and its remedy, as a page words them. */
export interface ErrorWords {
  what: string;
  remedy: ComponentChildren;
}

/**
 * An error in words: what happened, what to do about it, and what to copy into a report.
 * @param text replaces the words for the code, where the page knows more
 * @param refused called if the service refused the credentials; by default they are the key, which is signed out
 */
export function ErrorMessage({
  error,
  text,
  retry,
  refused = signOut,
}: {
  error: unknown;
  text?: ErrorWords | undefined;
  retry?: (() => void) | undefined;
  refused?: (error: unknown) => void;
}) {
  const { what, remedy, code, requestId, detail } = { ...errorTextOf(error), ...text };
  const reported = [code, requestId].filter(Boolean).join(' ');
  useEffect(showTrouble, []);
  useEffect(() => {
    // After signing in again, the user returns to this page.
    if (code === 'INVALID_KEY') refused(error);
  }, [code]);
  return (
    <div class="notice bad trouble" role="alert">
      <Icon name="warning" size={16} />
      <div>
        <b>{what}</b> {remedy}
        <div class="t-cap">
          {detail !== undefined && `${detail} `}
          Reference for support: <span class="mono">{reported}</span>{' '}
          <button
            type="button"
            class="link"
            onClick={() =>
              navigator.clipboard.writeText(reported).then(
                () => say('Copied'),
                () => undefined,
              )
            }
          >
            Copy
          </button>
        </div>
      </div>
      {code === 'FORBIDDEN' ? (
        <a class="btn sm" href="/app/sign-in">
          Use another key
        </a>
      ) : (
        retry && (
          <button type="button" class="btn sm" onClick={retry}>
            Try again
          </button>
        )
      )}
    </div>
  );
}

/**
 * Reports that the service does not respond, on pages that send no request until the user acts.
 * @param further what the page adds
 */
export function OutageMessage({ further }: { further?: string }) {
  const error = outage.value;
  if (error === undefined) return null;
  const { what, remedy } = errorTextOf(error);
  const text = further === undefined ? undefined : { what, remedy: `${remedy} ${further}` };
  return <ErrorMessage error={error} text={text} retry={() => void greet()} />;
}
