import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { UndertoneError } from '../../sdk/error.ts';
import type { TimelineEntry } from '../../sdk/wire.ts';
import '../style/conversation.css';
import { ConversationPage } from '../conversation/ConversationPage.tsx';
import { FirstWords } from '../conversation/FirstWords.tsx';
import { conversationOf, type SoundLevels } from '../conversation/model.ts';
import { useRecording } from '../conversation/recording.ts';
import { levelsOf, openStored } from '../conversation/stored.ts';
import { ErrorMessage } from '../lib/error-message.tsx';
import { useLoaded } from '../lib/load.ts';
import { Page } from '../lib/page.tsx';
import { serviceWith } from '../lib/session.ts';
import { titleOf } from '../lib/title.ts';
import { hiddenAffectOf } from './editing.ts';
import { exportItems } from './exporting.ts';

/** A conversation opened through a link. It can be read and played as long as the link is valid. */
export function SharedConversation() {
  const { id = '' } = useRoute().params;
  const [token] = useState(() => new URLSearchParams(location.hash.slice(1)).get('token') ?? '');
  const shared = useMemo(() => serviceWith(undefined, { fetch: bearing(token) }), [token]);
  const [words, setWords] = useState<readonly TimelineEntry[]>([]);
  const { value, error, isSlow, again } = useLoaded((signal) => openStored(shared, id, signal, setWords), [id]);
  const conversation = useMemo(() => (value?.result ? conversationOf(value.result) : undefined), [value]);
  const [levels, setLevels] = useState<SoundLevels | undefined>(undefined);
  const recording = useRecording(shared, id, token);
  useEffect(() => {
    const leave = new AbortController();
    void levelsOf(shared, id, leave.signal).then(setLevels);
    return () => leave.abort();
  }, [shared, id, token]);
  if (error !== undefined)
    return (
      <Page
        title={isRefused(error) ? 'This link does not work' : 'This conversation cannot be shown'}
        lead={isRefused(error) ? 'It has expired or was not copied completely. Ask for a new one.' : undefined}
      >
        {/* The link's token was refused, and not the visitor's own key. */}
        <ErrorMessage error={error} retry={again} refused={() => undefined} />
      </Page>
    );
  if (!conversation || !value)
    return isSlow || words.length > 0 ? <FirstWords entries={words} /> : <main class="page" aria-busy="true" />;
  return (
    <ConversationPage
      conversation={conversation}
      around={{
        title: titleOf(value.record),
        createdAt: value.record.created_at,
        levels,
        ...recording,
        exports: exportItems(shared, value.record),
        home: undefined,
        speakerItems: () => [],
        hiddenAffect: hiddenAffectOf(value.record),
      }}
    />
  );
}

/** Whether the service answered that the link is not valid. */
const isRefused = (error: unknown): boolean => error instanceof UndertoneError && (error.status ?? 500) < 500;

/** Sends the token as a bearer token. A key would use another header. */
const bearing =
  (token: string): typeof fetch =>
  (input, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set('Authorization', `Bearer ${token}`);
    return fetch(input, { ...init, headers });
  };
