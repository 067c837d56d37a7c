/** How speakers are named on every page. */

const LETTERS = 'ABCDEFGH';
const LABEL = /^Speaker_(\d+)$/;

/** The letter of a speaker. All after the eighth have numbers. */
export const letter = (index: number): string => LETTERS[index] ?? String(index + 1);

/** Whether a speaker has no name yet. */
export const isLabel = (speaker: string): boolean => LABEL.test(speaker);

/** The label of a speaker who is called by a letter: `Speaker_0` for "Speaker A". Any other name stays as it is. */
export function labelOfSpeaker(name: string): string {
  const index = LETTERS.indexOf(/^Speaker ([A-H])$/i.exec(name)?.[1]?.toUpperCase() ?? '-');
  return index < 0 ? name : `Speaker_${index}`;
}

/**
 * The name of a speaker as people read it: "Speaker A" for the label `Speaker_0`.
 * @param place among the speakers of the conversation, if it is known. It differs from the number in the label where a
 *   speaker before this one was merged into another.
 */
export function speakerName(speaker: string, place?: number): string {
  const [, number] = LABEL.exec(speaker) ?? [];
  return number === undefined ? speaker : `Speaker ${letter(place ?? Number(number))}`;
}
