import type { Fillers } from '../../language.ts';

/**
 * Words used in numbers that are spelled out (`NUMBER_WORDS`, 'one', 'oh' for nought, 'double' and 'triple'), as
 * alternatives.
 */
const DIGIT_WORDS =
  'one|zero|oh|nought|double|triple|point|dash|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million';

export const FILLERS: Fillers = {
  /** Fillers and discourse markers without content at the start of a quote. */
  leading:
    /^(?:(?:(?:like|as) i said|(?:wonderful|perfect|excellent|lovely|brilliant|terrific|fantastic)(?=,)|um+|uh+|er+m?|ah+|oh(?![\s,-]+(?:one|zero|oh|two|three|four|five|six|seven|eight|nine|double)\b)|hm+|mm+|mhm|well|so|and|but|or|like|okay|ok|yeah|yep|yes|right|alright|you know|i mean|i guess|basically|actually|anyway|hey|hi|hello|sure|great|cool|nice(?! (?:to|talking|meeting|seeing))|wow|now|then|because|cause|also|or anything|anything(?=,? but))\b[\s,;.!?-]*)+/iu,
  /** Fillers at the end of a quote, matched backwards from there. The group is left out. */
  trailing:
    /$(?<=((?:[\s,-]*\b(?:um+|uh+|er+|you know|i mean|i guess|or something|and stuff|(?<!\b(?:that's|it's|is|are|you're|all) )right|okay|though|anyway|(?<=,\s?)(?:sir|madam|ma'am|i'm afraid)|so|and|but|or|(?<!\b(?:you|i|we|they|would|it|that|looks?|sounds?|feels?)[ ,]+)like)\b[\s,.?-]*)+))/iu,
  /**
   * Fillers within a quote. They are left out, while the words around them stay verbatim. '5 mm' and 'the ER' are not
   * fillers.
   */
  filler: /(?:,\s*)?(?<!\d\s?|\bthe\s)\b(?:u+h+m*|u+m+|e+r+m*|a+h+|h+m+|m+h+m+|mm+)\b,?\s*/giu,
  /**
   * Stutters of up to 48 letters (the longest English words have 45). After a comma, a pronoun may begin a new clause
   * ("with you, you never know").
   */
  repeated:
    /\b(?![\p{L}']{49})([\p{L}']+)(?:[\s-]+\1\b|,\s+(?!(?:you|it|that|this|him|her|them|there|here)\b)\1\b)+/giu,
  /**
   * Words whose repetition has a meaning: numbers, letters of a spelled-out word ('I' and 'a' are mostly words),
   * negations.
   */
  saidTwice: new RegExp(`^(?:${DIGIT_WORDS}|[b-hj-z]|no|not|never|none|nothing|very|[\\p{L}]+n't)$`, 'iu'),
  /** A word of a number or of a spelled-out name. A quote is not cut within one. */
  spelledOut: new RegExp(`\\d|^(?:${DIGIT_WORDS}|hundred|[b-hj-z])[,.-]*$|^[A-HJ-Z][,.-]*$`, 'u'),
  /** Phrases that give the speaker time and say nothing. */
  hesitation: /\b(?:you know|i mean|kind of|sort of|i guess|or something|or whatever|you see|the thing is)\b/gi,
  /** Beginnings of words and of sentences within a sentence, as a transcript prints them. */
  brokenOff:
    /(?<![\p{L}\p{N}'’.&-])(?!(?:mr|mrs|ms|dr|st|vs|tv|km|kg|cm|mm|ml|hr|hm|mhm|pm|cd|pc)\b)[b-df-hj-np-tv-xz]{1,4}(?![\p{L}\p{N}'’.&-])|(?<=\p{Ll} )(?:And|But|So|Or|Which|Yeah|Well|We|You|The|It|That|They|This)(?= )/gu,
  /** Words that do not end a complete sentence. */
  cutOff:
    /\b(?:that's|it's|is|are|the|a|an|to|of|and|or|my|your|for|with|i|we|if|make|could|can|will|would|(?<!\b(?:about|after|at|before|by|do|for|from|in|like|of|on|than|to|with) )that|because|so|get|have|just)$/i,
  /**
   * Words that only show listening (SwDA: b, bk, bh). A row of m's belongs to one word, except for an m that begins
   * another word.
   */
  backChannel:
    /^(?:(?:oh|ah|yeah|yep|yup|yes|right|okay|ok|uh-?huh|(?:mm-?hm+|hm+|mm+)(?!m(?!m-?hm|hm))|mhm|i see|sure|really|wow|got it|gotcha|true|exactly|of course|i know|huh|alright|all right|uh|um)[\s,.!?]*){1,3}$/i,
};
