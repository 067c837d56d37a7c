import type { NameMentions } from '../../language.ts';

const TITLE = String.raw`(?:(?:[Dd]octor|[Dd]r\.?|[Mm]ister|[Mm]r\.?|[Mm]rs\.?|[Mm]s\.?|[Mm]iss) )`;
const WORD = String.raw`[A-Z][\p{Ll}]+(?:['’-]?[A-Z][\p{Ll}]+)?`;
/** At most three words that begin with a capital, which no possessive follows. */
const NAME = String.raw`(?<name>${WORD}(?: ${WORD}){0,2})(?!['’]s|[\p{L}\p{N}-])`;
const FILLERS = '(?:,? ?(?:um|uh|er|erm),? ){0,2}';
const IS = `(?:is|['’]s),? ?`;

const mention = (source: string, isSelf: boolean, isPlain: boolean) => ({
  pattern: new RegExp(source, 'gu'),
  isSelf,
  isPlain,
});

/** The ways in which English speakers say who they are, and whom they talk to. Each reads a bounded number of words. */
export const NAME_MENTIONS: NameMentions = {
  mentions: [
    mention(String.raw`\b[Mm]y name ?${IS}${FILLERS}${TITLE}?${NAME}`, true, true),
    mention(String.raw`\b[Tt]his is ${FILLERS}${TITLE}?${NAME} (?:speaking|calling|here)\b`, true, true),
    mention(String.raw`\b[Tt]his is ${FILLERS}${TITLE}?${NAME},? (?:from|with|at)\b`, true, false),
    mention(String.raw`\b(?:I['’]?m|I am) ${FILLERS}${TITLE}${NAME}`, true, true),
    mention(String.raw`\b(?:I['’]m|I am) ${FILLERS}${NAME}(?=[.,!?]|$| and\b| from\b)`, true, false),
    mention(String.raw`\b[Cc]all me ${NAME}(?=[.,!?]|$)`, true, false),
    mention(
      String.raw`\b(?:[Tt]hanks|[Tt]hank you|[Hh]i|[Hh]ello|[Hh]ey|[Gg]ood (?:morning|afternoon|evening)|[Bb]ye|[Gg]oodbye|[Nn]ice to meet you),? ${TITLE}?${NAME}(?=[.,!?]|$| how\b)`,
      false,
      false,
    ),
  ],
  notNames: new Set(
    `a about absolutely afternoon again all alright am american and anyway are as at bye calling can catholic christian
    customer dad day did do doc doctor evening everybody everyone fine folks for from glad god going good goodbye great
    guys happy have hello her here hey hi him how i if in interested is it jesus just ladies let looking madam maam ma'am
    many mate maybe me miss mister mom morning mum my name nice no not now nurse of ok okay on please ready really right
    she sir so some sorry sure thank thanks that the then there they this to too uh um very welcome well what when where
    who why with would yeah yes you your operator support sales service`.split(/\s+/),
  ),
};
