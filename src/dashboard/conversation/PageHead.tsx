import type { ComponentChildren } from 'preact';
import type { MenuItem } from '../lib/dialog.tsx';
import { clock, two } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { PrintedOn } from '../lib/page.tsx';
import type { Comments } from './comments.ts';
import { areSpeakersUncertain, isMeasured, type SoundLevels } from './model.ts';
import type { PlaybackProblem } from './recording.ts';
import type { PageState } from './state.ts';
import { ToList } from './ToList.tsx';
import type { Thumbs } from './thumbs.ts';

const PLAYBACK_PROBLEMS: Readonly<Record<PlaybackProblem, string>> = {
  deleted: 'The recording was deleted, so there is no sound to play. Everything else is still here.',
  unplayable: 'This browser cannot play the recording. Use “Export” to save it.',
};

/** The context of a conversation: where it is stored, and which actions are available there. */
export interface ConversationContext {
  title: string;
  /** When it was recorded, in words. */
  when: string | undefined;
  levels: SoundLevels | undefined;
  /** URL of the recording. Undefined when it cannot be played. */
  media: string | undefined;
  playbackProblem: PlaybackProblem | undefined;
  exports: MenuItem[];
  /** Link back to the list. */
  home: string | undefined;
  /** Further actions on one speaker. */
  speakerItems: (speaker: number) => MenuItem[];
  /** Labels or names of the speakers whose affect is hidden. */
  hiddenAffect: readonly string[];
  thumbs?: Thumbs;
  comments?: Comments;
  rename?: ((speaker: number) => void) | undefined;
  /** Further actions on one utterance. */
  lineItems?: ((line: number) => MenuItem[]) | undefined;
  /** Playing position before the page changed, s. */
  startAt?: () => number | undefined;
  onTime?: (seconds: number) => void;
  onMediaError?: () => void;
  /** Shown at the end of the header. */
  tools?: ComponentChildren;
  /** Lets the user correct an uncertain number of speakers. */
  recount?: () => void;
  /** Actions on the whole conversation. */
  more?: MenuItem[];
  /** Shown under the header. */
  notice?: ComponentChildren;
}

/** Title, facts and actions of the conversation. */
export function Header(p: {
  page: PageState;
  around: ConversationContext;
  copyLink: () => void;
  children: ComponentChildren;
}) {
  const { conversation } = p.page;
  const { media } = conversation.result;
  const count = conversation.labels.length;
  const facts = [
    p.around.when,
    clock(conversation.duration),
    `${count} ${count === 1 ? 'person' : 'people'}${areSpeakersUncertain(conversation) ? ' (uncertain)' : ''}`,
    media.speaker_per_channel ? 'one person per channel' : media.channels > 1 ? 'stereo' : 'one microphone',
  ].filter(Boolean);
  return (
    <header class="bar">
      <ToList home={p.around.home} />
      <div class="ttl">
        <h1 class="ell" dir="auto" title={p.around.title}>
          {p.around.title}
        </h1>
        <div class="meta">
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
          <span title={`Id of the conversation: ${conversation.id}`}>
            id <span class="mono">{conversation.id.slice(0, 8)}</span>
          </span>
        </div>
        <PrintedOn />
      </div>
      {p.around.tools}
      <button
        type="button"
        class="btn sm mid"
        onClick={() => {
          p.page.select(undefined);
          p.page.tab.value = 'people';
        }}
      >
        People
      </button>
      <button type="button" class="btn sm opt" onClick={p.copyLink}>
        <Icon name="link" size={15} /> Link
      </button>
      {p.children}
    </header>
  );
}

/** Limits of the result, under the header. */
export function Warnings({ page, around }: { page: PageState; around: ConversationContext }) {
  const { result, lines } = page.conversation;
  const { speakers, warnings } = result;
  const told: string[] = [];
  const isUncertain = areSpeakersUncertain(page.conversation);
  if (speakers.note) told.push(speakers.note);
  else if (isUncertain)
    told.push(
      `The number of speakers is uncertain (${two(speakers.confidence)}), so names and talk shares may be wrong.`,
    );
  if (lines.length > 0 && !isMeasured(page.conversation))
    told.push(
      'The audio could not be measured: the lanes show only when each person spoke, and tone is based on the words alone.',
    );
  if (around.playbackProblem) told.push(PLAYBACK_PROBLEMS[around.playbackProblem]);
  told.push(...warnings);
  return (
    <div class="warnings">
      {around.notice}
      {told.length > 0 && (
        <div class="warnrow">
          <div class="notice warn" role="status">
            <Icon name="warning" size={16} />
            <span>{told.join(' ')}</span>
            {isUncertain && around.recount && (
              <button type="button" class="link" onClick={around.recount}>
                Set the number of people and analyse again
              </button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
