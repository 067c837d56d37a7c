/**
 * Which part of each set trains the tagger of names and addresses. The rest is only measured (`npm run bench --
 * redaction`). WNUT17 is only measured.
 */

/** `fit` trains it, `tune` chooses its floors, `judge` is measured. */
export type NameSetPart = 'fit' | 'tune' | 'judge';

/** Presidio's set fills a few sentences again and again. A sentence is on one side with all its fillings. */
export const partOfTemplate = (template: number): NameSetPart =>
  template % 2 === 1 ? 'judge' : template % 8 === 0 ? 'tune' : 'fit';
/** EVI: by the identity that the caller reads out. */
export const partOfScenario = (scenario: string): NameSetPart => {
  const number = Number(/\d+$/u.exec(scenario)?.[0] ?? 1);
  return number % 2 === 1 ? 'judge' : number % 8 === 0 ? 'tune' : 'fit';
};
/** MultiDoGO's own division of conversations. */
export const partOfSplit = (split: string): NameSetPart =>
  split === 'test' ? 'judge' : split === 'dev' ? 'tune' : 'fit';

/** Words of a reply to EVI's questions that belong to no value. */
export const EVI_FILLERS: ReadonlySet<string> = new Set(
  "the of and is it it's its my um uh yes that's a in on date birth postcode post code name for as to i was born so sorry no like oh no. hello hi full first last".split(
    ' ',
  ),
);
