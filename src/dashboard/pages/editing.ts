import type { Comment, ConversationPatchRequest, ConversationRecord } from '../../sdk/wire.ts';
import type { ConversationView } from '../conversation/model.ts';
import type { ConversationContext } from '../conversation/PageHead.tsx';
import type { StoredConversationData } from '../conversation/stored.ts';
import type { MenuItem } from '../lib/dialog.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { service } from '../lib/session.ts';
import { isLabel } from '../lib/speaker-names.ts';
import { say } from '../lib/tip.tsx';

/** The open dialog. */
export type Editing =
  | { kind: 'title' | 'labels' | 'delete' | 'share' | 'hold' | 'access' | 'redact' | 'count' }
  | { kind: 'correct'; line: number }
  | { kind: 'comment'; at: number; comment?: Comment }
  | { kind: 'names'; speaker: number }
  | { kind: 'affect'; speaker: number };

export interface EditingContext {
  stored: StoredConversationData;
  conversation: ConversationView;
  again: () => void;
}

/** The original label of a speaker, who may have been renamed since. */
export function measured({ record }: StoredConversationData, speaker: string): string {
  if (isLabel(speaker)) return speaker;
  return Object.entries(record.names).find(([, name]) => name === speaker)?.[0] ?? speaker;
}

/** The speakers whose affect is hidden, by the names that the result uses. */
export const hiddenAffectOf = ({ hidden_affect, names }: ConversationRecord): string[] =>
  hidden_affect.map((label) => names[label] ?? label);

/** Takes back the last edit of a conversation. */
export function undoLast(id: string, again: () => void): void {
  service()
    .conversations.undo(id)
    .then(
      () => {
        say('Undone');
        again();
      },
      (error: unknown) => say(errorTextOf(error).what),
    );
}

/** Sends an edit, and says what it did, with an undo. @param again reads the conversation again */
export function change(id: string, patch: ConversationPatchRequest, told: string, again: () => void): void {
  service()
    .conversations.edit(id, patch)
    .then(
      () => {
        say(told, () => undoLast(id, again));
        again();
      },
      (error: unknown) => say(errorTextOf(error).what),
    );
}

/** The edits that a conversation's page offers. */
export function editingOf(
  p: EditingContext & { open: (what: Editing) => void },
): Pick<ConversationContext, 'rename' | 'speakerItems' | 'lineItems' | 'recount' | 'more'> {
  const { stored, conversation, again, open } = p;
  const id = stored.record.conversation_id;
  const edit = (patch: ConversationPatchRequest, told: string): void => change(id, patch, told, again);
  const undo = (): void => undoLast(id, again);
  const review = (reviewed: boolean): void => {
    service()
      .conversations.edit(id, { reviewed })
      .then(
        () => {
          say(reviewed ? 'Marked as reviewed' : 'Marked as to review', () => review(!reviewed));
          again();
        },
        (error: unknown) => say(errorTextOf(error).what),
      );
  };
  const isHidden = (speaker: number): boolean =>
    stored.record.hidden_affect.includes(measured(stored, conversation.labels[speaker]!));
  const others = (speaker: number): [string, string][] =>
    conversation.labels.flatMap((label, i) =>
      i === speaker ? [] : [[label, conversation.names[i]!] as [string, string]],
    );
  return {
    rename: (speaker) => open({ kind: 'names', speaker }),
    speakerItems: (speaker) => [
      { icon: 'pen', label: 'Rename everywhere', run: () => open({ kind: 'names', speaker }) },
      ...others(speaker).map(
        ([label, name]): MenuItem => ({
          icon: 'person',
          label: `The same person as ${name}`,
          run: () =>
            edit(
              { merge: [[measured(stored, conversation.labels[speaker]!), measured(stored, label)]] },
              `Now one person: ${name}`,
            ),
        }),
      ),
      {
        icon: 'shield',
        label: isHidden(speaker) ? 'Show tone and emotion' : 'Hide tone and emotion',
        run: () =>
          edit(
            { hide_affect: { [measured(stored, conversation.labels[speaker]!)]: !isHidden(speaker) } },
            isHidden(speaker) ? 'Tone and emotion are shown again' : 'Hidden here and in every file',
          ),
      },
      { icon: 'shield', label: 'Analyse again without their tone', run: () => open({ kind: 'affect', speaker }) },
    ],
    lineItems: (index) => {
      const line = conversation.lines[index]!;
      const to = (label: string, name: string): MenuItem => ({
        icon: 'person',
        label: `${name} said this`,
        run: () => edit({ move: [{ utterance_id: line.entry.utterance_id, speaker: label }] }, `Moved to ${name}`),
      });
      const known = new Set(conversation.labels.map((label) => measured(stored, label)));
      const free = Array.from({ length: 9 }, (_, n) => `Speaker_${n}`).find((label) => !known.has(label));
      return [
        { icon: 'comment', label: 'Comment here', run: () => open({ kind: 'comment', at: line.start }) },
        { icon: 'pen', label: 'Correct the words', run: () => open({ kind: 'correct', line: index }) },
        ...others(line.speaker).map(([label, name]) => to(measured(stored, label), name)),
        ...(free ? [to(free, 'Somebody else')] : []),
      ];
    },
    recount: () => open({ kind: 'count' }),
    more: [
      {
        icon: 'check',
        label: stored.record.reviewed_at === null ? 'Mark as reviewed' : 'Mark as to review',
        run: () => review(stored.record.reviewed_at === null),
      },
      { icon: 'pen', label: 'Change the title', run: () => open({ kind: 'title' }) },
      { icon: 'list', label: 'Labels', run: () => open({ kind: 'labels' }) },
      ...(stored.record.edits.length > 0 ? [{ icon: 'undo', label: 'Undo the last edit', run: undo } as const] : []),
      { icon: 'eye', label: 'Who accessed it', run: () => open({ kind: 'access' }) },
      { icon: 'share', label: 'Share a link', run: () => open({ kind: 'share' }) },
      {
        icon: 'shield',
        label: stored.record.on_hold ? 'Change or lift the hold' : 'Put on hold',
        run: () => open({ kind: 'hold' }),
      },
      { icon: 'rotate', label: 'Set the number of people and analyse again', run: () => open({ kind: 'count' }) },
      { icon: 'shield', label: 'Redact for good', isDangerous: true, run: () => open({ kind: 'redact' }) },
      { icon: 'trash', label: 'Delete', isDangerous: true, run: () => open({ kind: 'delete' }) },
    ],
  };
}
