import type { OverviewSentences } from '../../sentences/sentences.ts';
import { say } from '../../sentences/spans.ts';
import { enumerate, enumerateSpeakers } from './grammar.ts';

const SETTINGS = {
  one_sided: 'Only one side of the conversation is in the recording.',
  answering_machine: 'An answering machine takes the call.',
  announcement: 'Only recorded announcements are heard.',
  unknown: 'One voice could be distinguished; there may be more.',
} as const;

const GENRES = {
  sales: 'a sales conversation',
  support: 'a support call',
  interview: 'an interview',
  meeting: 'a meeting',
} as const;

export const overview: OverviewSentences = {
  nothingSaid: () => say`Nothing was said.`,
  unread: (reason) =>
    reason === 'language'
      ? say`The words are in a language that this analysis does not support.`
      : say`The words were not understood.`,
  setting: (setting) => say`${SETTINGS[setting]}`,
  goalNotDiscussed: (goal) =>
    goal.endsWith('?') ? say`Nothing here answers “${goal}”.` : say`Nobody talks about “${goal}”.`,
  onGoal: (goal, line) => say`On “${goal}”: ${line}`,
  mayAnswerGoal: (goal, lines) => {
    const open = goal.endsWith('?')
      ? `No sentence clearly answers “${goal}”.`
      : `No sentence is clearly about “${goal}”.`;
    const [first, second] = lines;
    if (!first) return say`${open}`;
    return second
      ? say`${open} Possible answers, unsure: ${first} ${second}`
      : say`${open} Possible answer, unsure: ${first}`;
  },
  settledOnGoal: (goal, line) => say`On “${goal}”, this was settled: ${line}`,
  frame: ({ setting, speakers, genre, length: { value, unit }, topics, course, isPurposeUnknown }) => {
    const listed = typeof speakers === 'number' ? say`${speakers} speakers` : enumerateSpeakers(speakers);
    const about = topics.length > 0 ? say` about ${enumerate(topics)}` : [];
    const phases = course.length > 0 ? say`: ${sequence(course)}` : [];
    const end = isPurposeUnknown ? '; the purpose could not be determined.' : '.';
    if (setting !== 'conversation' && setting !== 'single_voice')
      return say`The recording lasts ${value} ${unit}${topics.length > 0 ? say` and is${about}` : []}${phases}${end}`;
    const isAlone = typeof speakers !== 'number' && speakers.length === 1;
    const subject = isAlone ? say`${listed} speaks alone` : say`${listed} talk`;
    // A single voice does not speak all the time between its first word and its last.
    const plain = isAlone ? '' : ` for ${value} ${unit}`;
    const within = genre === 'any' ? plain : ` in ${GENRES[genre]} (${value} ${unit})`;
    return say`${subject}${about}${within}${phases}${end}`;
  },
};

/** 'a', 'a, then b', 'a, then b, c and d'. */
const sequence = ([first = '', ...rest]: readonly string[]) =>
  rest.length === 0 ? first : say`${first}, then ${enumerate(rest)}`;
