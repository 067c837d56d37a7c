import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Conversation, conversationOf } from './conversation/model.ts';
import { ConversationView } from './conversation/View.tsx';
import { Icon, Logo } from './lib/icons.tsx';
import { theme, toggleTheme } from './lib/theme.ts';
import { Floating } from './lib/tip.tsx';
export function App() {
  const conversation = useSignal<Conversation | undefined>(undefined);
  useEffect(() => {
    fetch('/dev.json')
      .then((r) => r.json())
      .then((r) => {
        conversation.value = conversationOf(r);
      });
  }, []);
  return (
    <>
      <div class="app cv">
        <nav class="rail" aria-label="Main">
          <Logo />
          <span class="sp" />
          <button
            type="button"
            aria-label={theme.value === 'dark' ? 'Light theme' : 'Dark theme'}
            onClick={toggleTheme}
          >
            <Icon name={theme.value === 'dark' ? 'sun' : 'moon'} />
          </button>
        </nav>
        {conversation.value && (
          <ConversationView
            conversation={conversation.value}
            around={{
              title: 'Call',
              createdAt: undefined,
              levels: undefined,
              media: undefined,
              isRecordingGone: false,
              exports: [],
              home: '/app',
              speakerItems: () => [],
              rename: () => undefined,
            }}
          />
        )}
      </div>
      <Floating />
    </>
  );
}
