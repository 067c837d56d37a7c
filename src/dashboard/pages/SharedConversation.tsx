import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { TimelineEntry } from '../../sdk/wire.ts';
import '../style/conversation.css';
import { ConversationPage } from '../conversation/ConversationPage.tsx';
import { FirstWords } from '../conversation/FirstWords.tsx';
import { conversationOf, type SoundLevels } from '../conversation/model.ts';
import { useRecording } from '../conversation/recording.ts';
import { levelsOf, openStored } from '../conversation/stored.ts';
import { day, recordedOnDay } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { titleOf } from '../lib/title.ts';
import { hiddenAffectOf } from './editing.ts';
import { exportItems } from './exporting.ts';
import { LinkFailed, useShared } from './shared.tsx';

/** A conversation opened through a link. It can be read and played as long as the link is valid. */
export function SharedConversation() {
  const { id = '' } = useRoute().params;
  const { token, shared, end } = useShared();
  const [words, setWords] = useState<readonly TimelineEntry[]>([]);
  const { value, error, isSlow, again } = useLoaded((signal) => openStored(shared, id, signal, setWords), [id]);
  const conversation = useMemo(() => (value?.result ? conversationOf(value.result) : undefined), [value]);
  const [levels, setLevels] = useState<SoundLevels | undefined>(undefined);
  const recording = useRecording(shared, id, { token });
  useEffect(() => {
    const leave = new AbortController();
    void levelsOf(shared, id, leave.signal).then(setLevels);
    return () => leave.abort();
  }, [shared, id, token]);
  if (error !== undefined) return <LinkFailed title="This conversation cannot be shown" error={error} again={again} />;
  if (!conversation || !value)
    return isSlow || words.length > 0 ? <FirstWords entries={words} /> : <main class="page" aria-busy="true" />;
  return (
    <ConversationPage
      conversation={conversation}
      around={{
        title: titleOf(value.record),
        when: recordedOnDay(value.record),
        levels,
        ...recording,
        exports: exportItems(shared, value.record, recording.playbackProblem !== 'deleted'),
        home: undefined,
        speakerItems: () => [],
        hiddenAffect: hiddenAffectOf(value.record),
        notice: (
          <div class="warnrow">
            <div class="notice" role="status">
              <Icon name="link" size={16} />
              <span>
                Shared with you by a link: you can read and play this conversation, but not change it.
                {end.value && ` The link works until ${day(end.value.toISOString())}.`}
              </span>
            </div>
          </div>
        ),
      }}
    />
  );
}
