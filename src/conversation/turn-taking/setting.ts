import type { ConversationSetting } from '../../contract/findings.ts';
import type { Utterance } from '../../contract/timeline.ts';
import type { Language } from '../language.ts';
import { Participants } from '../text/participants.ts';
import type { Alone } from './lone-voice.ts';

/**
 * The setting of a recording, which is not always a conversation.
 * @param alone how a single voice is reported
 */
export function settingOf(utterances: readonly Utterance[], language: Language, alone: Alone): ConversationSetting {
  const participants = new Participants(language);
  for (const utterance of utterances) participants.add(utterance);
  const { people, machine } = participants;
  if (people > 1) return 'conversation';
  return machine ?? alone;
}

/**
 * Whether it is a conversation between people, the only setting in which somebody can promise, offer or refuse
 * something.
 */
export const isBetweenPeople = (setting: ConversationSetting): boolean => setting === 'conversation';

/** Whether the only known participants are recorded voices, with at most one person who talks to them. */
export const isMachine = (setting: ConversationSetting): boolean =>
  setting === 'answering_machine' || setting === 'announcement';
