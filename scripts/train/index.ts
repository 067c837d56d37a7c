import { type NamedProgram, runNamed } from '../named-programs.ts';

const training = (does: string, ...files: string[]): NamedProgram => ({
  does,
  files: files.map((file) => `scripts/train/${file}`),
});

/** The trainings that `npm run train -- <name>` runs. */
export const TRAININGS = {
  moments: training(
    'the network of key moments; its second step needs python3 with numpy and torch',
    'moments/inputs.ts',
    'moments/fit.py',
    'moments.ts',
  ),
  'moment-pooling': training(
    'what the network of key moments reads besides the sentence vector; moments has to follow',
    'moments/states.ts',
    'moments/pooling.py',
    'moment-pooling.ts',
  ),
  'text-affect': training(
    'the networks that read emotion and sentiment from words',
    'text-affect/vader-lexicon.ts',
    'text-affect/network.ts',
    'text-affect/encoding-network.ts',
    'text-affect/heads.ts',
  ),
  segmentation: training('the topic boundary classifiers', 'segmentation.ts'),
  'goal-answers': training('the classifiers that find the answer to a goal and its confidence', 'goal-answers.ts'),
  'small-talk': training('the classifier that recognises small talk', 'small-talk-guess.ts'),
  'word-vectors': training('the word vectors for topics', 'word-vectors.ts'),
  roles: training('the classifier that proposes roles of speakers', 'roles.ts'),
  'name-tagger': training('the tagger of names and addresses for redaction', 'name-tagger.ts'),
  'noun-shares': training('how often each stem is used as a noun', 'noun-shares.ts'),
} as const satisfies Record<string, NamedProgram>;

if (import.meta.main) process.exitCode = await runNamed('train', TRAININGS);
