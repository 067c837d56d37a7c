import { type Signal, useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { UndertoneError } from '../../sdk/error.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { Page } from '../lib/page.tsx';
import { type SignedInService, serviceWith } from '../lib/session.ts';

interface SharedPage {
  token: string;
  shared: SignedInService;
  /** The time at which the link ends, once a response has said it. */
  end: Signal<Date | undefined>;
}

/** The token in the address of a shared page, and the client with it. */
export function useShared(): SharedPage {
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const end = useSignal<Date | undefined>(undefined);
  const shared = useMemo(() => serviceWith(undefined, { fetch: bearing(token, end) }), [token]);
  return { token, shared, end };
}

/** The page in place of one that a link could not show. */
export function LinkFailed({ title, error, again }: { title: string; error: unknown; again: () => void }) {
  const isRefused = error instanceof UndertoneError && (error.status ?? 500) < 500;
  return (
    <Page
      title={isRefused ? 'This link does not work' : title}
      lead={isRefused ? 'It has expired or was not copied completely. Ask for a new one.' : undefined}
    >
      {/* The link's token was refused, and not the visitor's own key. */}
      <ErrorMessage error={error} retry={again} refused={() => undefined} />
    </Page>
  );
}

/** Sends the token as a bearer token. A key would use another header. */
const bearing =
  (token: string, end: Signal<Date | undefined>): typeof fetch =>
  async (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    const response = await fetch(input, { ...init, headers });
    const sunset = response.headers.get('Sunset');
    if (sunset !== null && end.peek() === undefined) end.value = new Date(sunset);
    return response;
  };
