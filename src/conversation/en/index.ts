import type { Language } from '../language.ts';
import { AFFECT } from './affect/index.ts';
import { DATES } from './dates.ts';
import { ACT_FORMS } from './lexicon/act-forms.ts';
import { BOUNDARY_CUES } from './lexicon/boundary-cues.ts';
import { COMMITMENT_FORMS } from './lexicon/commitment-forms.ts';
import { FILLERS } from './lexicon/fillers.ts';
import { NAME_MENTIONS } from './lexicon/name-mentions.ts';
import { PARTICIPANTS } from './lexicon/participants.ts';
import { PHASES } from './lexicon/phase-phrases.ts';
import { QUESTIONS } from './lexicon/questions.ts';
import { SENTENCE_ENDS } from './lexicon/sentence-ends.ts';
import { SMALL_TALK_WORDS } from './lexicon/small-talk-words.ts';
import { SUMMARY_CUES } from './lexicon/summary-cues.ts';
import { TOPIC_LISTS } from './lexicon/topic-lists.ts';
import { WORDS } from './lexicon/words.ts';
import { DELIVERY } from './sentences/delivery.ts';
import { SENTENCES } from './sentences/sentences.ts';

export const ENGLISH: Language = {
  code: 'en',
  words: WORDS,
  sentenceEnds: SENTENCE_ENDS,
  questions: QUESTIONS,
  fillers: FILLERS,
  participants: PARTICIPANTS,
  names: NAME_MENTIONS,
  acts: ACT_FORMS,
  topics: TOPIC_LISTS,
  boundaries: BOUNDARY_CUES,
  phases: PHASES,
  summaryCues: SUMMARY_CUES,
  commitments: COMMITMENT_FORMS,
  dates: DATES,
  smallTalk: SMALL_TALK_WORDS,
  affect: AFFECT,
  delivery: DELIVERY,
  sentences: SENTENCES,
};
