/** The meaning of each measure of a conversation and its people, by its name in the pages. */
export const DEFINITIONS = {
  'Talk time': 'The time in which this person speaks, without the pauses between utterances.',
  'Talk share': 'This person’s share of all speech.',
  'Longest turn': 'The longest time this person held the floor before someone else spoke, pauses included.',
  Pace: 'Words per minute while this person speaks. 140 to 190 is typical in conversation. An utterance, which may have few words, has syllables per second instead.',
  Questions: 'Turns recognised as questions.',
  Interruptions:
    'How often this person began while someone else spoke, and the other then stopped within a second. Other overlaps are no interruptions.',
  Patience: 'Median silence before this person answers.',
  Silence: 'The share of the time, from the first word to the last, in which nobody speaks.',
  Interactivity:
    'Half the changes of speaker per minute, at most 10. An ordinary call has about 10 changes per minute, which gives 5.',
  'Overlapping speech':
    'How often and for how long two people speak at once, whether or not either of them stops. Only where the other stops is it an interruption.',
  'Mean sentiment of the words':
    'From −1 (negative) to +1 (positive), by the words alone; of several utterances also their spread. Tone counts the voice too, so the two may differ.',
  Engagement: 'Whether the speakers take part more or less towards the end.',
} as const;

export type MeasureName = keyof typeof DEFINITIONS;

/** The measures of each person. Turn-taking needs two of them. */
export const personMeasures = (people: number): readonly MeasureName[] =>
  people < 2
    ? ['Talk time', 'Pace', 'Questions']
    : ['Talk share', 'Longest turn', 'Pace', 'Questions', 'Interruptions', 'Patience'];
