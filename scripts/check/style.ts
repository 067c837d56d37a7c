import { lineAt, type SourceFile } from './sources.ts';

/** Phrases that the repository avoids, with their replacements. `docs/style.md` describes the voice. */
const PHRASES: readonly [phrase: RegExp, instead: string][] = [
  [/\bas (?:many|much|often|long) as (?:it|they|one|he) (?:may|might|can be)\b/i, 'name the limit'],
  [/\bstands? no more\b/i, 'is no longer valid'],
  [/\bis none of (?:this|the|its|their)\b/i, 'does not belong to'],
  [/\b(?:who|what)ever (?:asks|comes|has|is|waits|wants|set|reads)\b/i, 'name the subject'],
  [/\bwhyever\b/i, 'for any reason'],
  [
    /\b(?:is|are|was|were|be) told (?:so|of|it|that|to|by|as|in|with|at|from|here)\b/i,
    'is reported, described or sent',
  ],
  [/\bthe house(?:'s)?\b/i, 'the repository or the service'],
  [/\bof whom nobody\b|\bnobody (?:is told|was told|tells)\b/i, 'name the subject'],
  [/\bthis page fell\b/i, 'this page failed'],
  [/\bis no JSON\b/i, 'is not JSON'],
  [/\bwhat came of\b/i, 'the result of'],
  [/\bwhat is to be\b/i, 'name the thing'],
  [/\bat hand\b(?! of)/i, 'available'],
  [/\blikelier\b/i, 'more likely'],
  [/\b(?:is|are|was|were) taken for\b/i, 'is treated as or mistaken for'],
  [/\bwhatever (?:its|the) (?:number|state|width|theme|noise|request)\b/i, 'regardless of'],
  [/\ba (?:tenant|server|thread|process|connection|project|queue|stub) of (?:its|their) own\b/i, 'a separate ...'],
];
/** Openings that are ruled out, because a comment opens with what the thing is or does. */
const OPENER = /(?:\/\*\*?|^\s*\*|\/\/) (Of|Who|Whoever|Whose|What|Whatever|Where|By whom|By what|Whom) [a-z]/gm;
/** American spellings in comments and documents. Identifiers of libraries are not checked. */
const AMERICAN =
  /\b(?:behaviors?|recogniz(?:e|es|ed|er|ers|ing)|normaliz(?:e|es|ed|ing)|summariz(?:e|es|ed|ing)|initializ(?:e|es|ed)|synchroniz(?:e|ed|es)|honor(?:s|ed)?|favor(?:s|ed)?|labeled|labeling|canceled|canceling|catalogs?|analyz(?:es|ed|ing|er))\b/gi;
const COMMENT = /\/\*[\s\S]*?\*\/|(?<![:'"`\w])\/\/.*$/gm;

/** Files whose texts are data: utterances, words to search for, and the examples of the style itself. */
const isData = (path: string): boolean =>
  /^(?:docs\/style\.md|scripts\/check\/|test\/tools\/checks|data\/|docs\/examples\/|src\/conversation\/en\/lexicon\/|src\/conversation\/en\/affect\/|scripts\/train\/small-talk\.ts$|test\/conversation\/summary\/summary\.models\.test\.ts$)/.test(
    path,
  );

/** Uses of the phrases, openings and spellings that `docs/style.md` rules out. */
export function style(files: readonly SourceFile[]): string[] {
  const faults: string[] = [];
  for (const { path, text } of files) {
    if (isData(path)) continue;
    const fault = (index: number, found: string, remedy: string): void => {
      faults.push(`${path}:${lineAt(text, index)}: "${found.trim()}": ${remedy}`);
    };
    for (const [phrase, instead] of PHRASES)
      for (const match of text.matchAll(new RegExp(phrase.source, 'gi'))) fault(match.index, match[0], instead);
    const isDocument = path.endsWith('.md');
    if (!isDocument)
      for (const match of text.matchAll(OPENER)) fault(match.index, match[0], 'open with the noun or the verb');
    for (const part of isDocument ? [{ 0: text, index: 0 }] : text.matchAll(COMMENT))
      for (const match of part[0].matchAll(AMERICAN)) {
        const around = part[0].slice(Math.max(0, match.index - 1), match.index + match[0].length + 1);
        if (!/^[`/.(]|[`(]$/.test(around)) fault(part.index + match.index, match[0], 'use the British spelling');
      }
  }
  return faults;
}
