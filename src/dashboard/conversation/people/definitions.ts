/** The meaning of each speaking statistic of a person, by its name in the pages. */
export const DEFINITIONS = {
  'Talk share': 'This person’s share of all speech.',
  'Longest turn': 'The longest time this person spoke before someone else did.',
  Pace: 'Words per minute while this person speaks. 140 to 190 is typical in conversation.',
  Questions: 'Turns recognised as questions.',
  Interruptions: 'How often this person cut someone off.',
  Patience: 'Median silence before this person answers.',
} as const;
