import type { ConversationRecord, ExportFormat } from '../../sdk/wire.ts';
import type { MenuItem } from '../lib/dialog.tsx';
import { errorTextOf } from '../lib/error-texts.ts';
import { FORMATS, fileName, save } from '../lib/save.ts';
import type { SignedInService } from '../lib/session.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';

/**
 * Exports a conversation as files, or prints it.
 * @param hasRecording whether there is a recording to save
 */
export function exportItems(
  { conversations }: SignedInService,
  record: ConversationRecord,
  hasRecording: boolean,
): MenuItem[] {
  const { conversation_id: id, filename } = record;
  const title = titleOf(record);
  const kept = (file: Promise<Blob>, name: string): void => {
    file.then(
      (content) => save(content, name),
      (error: unknown) => say(errorTextOf(error).what),
    );
  };
  const extension = /\.\w+$/.exec(filename)?.[0] ?? '';
  return [
    ...(Object.entries(FORMATS) as [ExportFormat, string][]).map(
      ([format, label]): MenuItem => ({
        icon: 'file',
        label,
        run: () => kept(conversations.export(id, format), `${fileName(title)}.${format}`),
      }),
    ),
    ...(hasRecording
      ? [
          {
            icon: 'mic' as const,
            label: 'Recording',
            run: () => kept(conversations.media(id, { original: true }), `${fileName(title)}${extension}`),
          },
        ]
      : []),
    { icon: 'print', label: 'Print', run: () => print() },
  ];
}
