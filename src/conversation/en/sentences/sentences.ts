import type { Sentences } from '../../sentences/sentences.ts';
import { insights } from './insights.ts';
import { narrative } from './narrative.ts';
import { outcomes } from './outcomes.ts';
import { overview } from './overview.ts';
import { patterns } from './patterns.ts';
import { phases } from './phases.ts';
import { quality } from './quality.ts';
import { remarks } from './remarks.ts';
import { tips } from './tips.ts';
import { verdict } from './verdict.ts';

/** Every sentence about a conversation, in English. */
export const SENTENCES: Sentences = {
  remarks,
  overview,
  outcomes,
  verdict,
  quality,
  patterns,
  tips,
  insights,
  phases,
  narrative,
};
