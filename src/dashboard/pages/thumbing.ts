import { signal } from '@preact/signals';
import type { ConversationRecord } from '../../sdk/wire.ts';
import { placeOf, type Thumb, type Thumbs } from '../conversation/thumbs.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { service } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';

const ON = { moment: 'moment_id', utterance: 'utterance_id', line: 'line' } as const;
const mapOf = ({ feedback }: ConversationRecord): ReadonlyMap<string, Thumb> =>
  new Map(feedback.map(({ kind, on, thumb }) => [placeOf(kind, on), thumb]));

/** The thumbs of a stored conversation. A thumb is shown once the service has accepted it. */
export function thumbsOf(record: ConversationRecord): Thumbs {
  const given = signal(mapOf(record));
  return {
    given,
    give: (kind, on, thumb) => {
      service()
        .conversations.feedback(record.conversation_id, { [ON[kind]]: on, thumb: thumb ?? null })
        .then(
          (answer) => {
            given.value = mapOf(answer);
            say(thumb ? 'Rating saved, thank you' : 'Rating removed');
          },
          (error: unknown) => say(errorTextOf(error).what),
        );
    },
  };
}
