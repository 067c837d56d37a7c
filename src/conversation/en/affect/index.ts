import type { AffectLexicon } from '../../affect-lexicon.ts';
import { AFFECT_CUES } from './cue-phrases.ts';
import { FACTUALITY } from './factuality.ts';
import { HESITATION } from './hesitation.ts';
import { PERSON_MARKS } from './person-marks.ts';
import { RATED_WORDS } from './rated-words.ts';
import { REACTIONS } from './reactions.ts';
import { SENTIMENT } from './sentiment.ts';

export const AFFECT: AffectLexicon = {
  hesitation: HESITATION,
  cues: AFFECT_CUES,
  factuality: FACTUALITY,
  reactions: REACTIONS,
  sentiment: SENTIMENT,
  ratedWords: RATED_WORDS,
  personMarks: PERSON_MARKS,
};
