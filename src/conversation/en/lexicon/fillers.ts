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
  filler:
    /[<[(](?:laugh(?:s|ter|ing)?|noise|music|applause|cough(?:s|ing)?|breath(?:ing)?|inaudible|silence|crosstalk)[>\])]|(?:,\s*)?(?<!\d\s?|\bthe\s)\b(?:u+h+m*|u+m+|e+r+m*|a+h+|h+m+|m+h+m+|mm+)\b,?\s*/giu,
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
  hesitation:
    /\b(?:you know|i mean|kind of|sort of|i guess|or something|or whatever|and so forth|and stuff|and things like that|you see|the thing is)\b|, well\b/gi,
  /** Beginnings of words and of sentences within a sentence, as a transcript prints them. */
  brokenOff:
    /(?<![\p{L}\p{N}'’.&-])(?!(?:mr|mrs|ms|dr|st|vs|tv|km|kg|cm|mm|ml|hr|hm|mhm|pm|cd|pc|Mr|Mrs|Ms|Dr|St|Vs|Ph|Ltd)\b)(?:[b-df-hj-np-tv-xz]{1,4}|[B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]{1,3})(?![\p{L}\p{N}'’.&-])|(?<![\p{L}\p{N}'’.&-])(?!(?:a|i|we|he|me|be|so|no|to|do|go|in|on|an|as|at|it|is|us|my|by|or|if|of|up|the|for|her|his|was|are|not|can|all|any|one|two|may|you|our|out|now|how|who|had|has|but|and|day|way|old|new|car|man|men|per|pro|air|bar|far|her|too|ten|end|eye|arm|art|act|pay|pen|per|pet|put|sun|tea|the)\b)([a-zA-Z]{1,3}) (?=\1[a-z])|(?<=\p{Ll} )(?:And|But|So|Or|Which|Yeah|Well|We|You|The|It|That|They|This)(?= )/gu,
  /** A sentence that its speaker begins again in the middle: "to, assure", "the my", "I where we", "they'll, she'll". */
  restart:
    /\b(?:a|an|the|my|our|your|their|every|to|of|from|for|with|at|into|is|was|are|were|may|might|could|would|should|i|we|you've|i've|we've|they've|gonna), (?!(?:though|however|too|as well|for (?:example|instance)|of course)\b)|\b(?:an?|the) (?:an?|the|there's|there (?:is|are|was|were)|what|without|it's|that's|either|neither|my|our|your|their|his|this|is|was|were|of|to|in|and|or|but|it|he|she|they|we|i|as|with)\b|\b(?:i|we) (?:where|the|an?|my|our|their|overall|and|but|i|we|they|he|she|it|you)\b|\bi (?:if|in|it|is|into)\b|\b(?:they|he|she|you|it) (?:the|an?|my|our|their|they|he|she)\b|\b(?:i|we|they) then (?:i|we|they)\b|\b(?:i|we|they) ?'(?:ll|m|re|ve|d) \w+ (?:i|we|they) ?'|\b(?:was|were|is|are|really) (?:since|because|and but|but)\b|\b(?:and|or) but\b|\b(?:my|our|your|their|his) (?:the|an?|is|was)\b|\blike (?:yes|no|yeah)\b|\b(?:that|is) so anyway\b|\bno no\b|(?<=[a-z] )[euy](?= [a-z])|\b(?:i|we|they|he|she|it|you|that|there)'(?:ll|ve|d|re|m|s), |'(?:ve|d) (?:was|were|is|am|are)\b|\bone one\b|\b(these|those|this|my|our|their|we|they) (?:[a-z]{1,5} )?\1\b|\b(?:of|to|with|from) (?:of|to|with|from|and|or|but)\b|\b(?:and|but|or|so) (?:or|and)\b/iu,
  /** Words that do not end a complete sentence. */
  cutOff:
    /\bbecause (?:[\w']+ ){1,4}ago$|\b(?:that's|it's|is|are|was|were|the|a|an|to|of|and|or|but|my|your|our|their|for|with|from|i|we|i'm|we're|they're|you're|i've|we've|if|when|make|could|can|will|would|(?<!\b(?:about|after|at|before|by|do|for|from|in|like|of|on|than|to|with) )that|because|so|get|have|just)$/i,
  /**
   * Words that only show listening (SwDA: b, bk, bh). A row of m's belongs to one word, except for an m that begins
   * another word.
   */
  backChannel:
    /^(?:(?:oh|ah|yeah|yep|yup|yes|right|okay|ok|uh-?huh|(?:mm-?hm+|hm+|mm+)(?!m(?!m-?hm|hm))|mhm|i see|sure|really|wow|got it|gotcha|true|exactly|of course|i know|huh|alright|all right|uh|um)[\s,.!?]*){1,3}$/i,
};
