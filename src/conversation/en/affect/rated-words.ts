import type { RatedWordRules } from '../../affect-lexicon.ts';

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** The lists and rules of VADER (Hutto & Gilbert 2014, MIT). */
export const RATED_WORDS: RatedWordRules = {
  boosters: wordSet(
    'absolutely amazingly awfully completely considerable considerably decidedly deeply effing enormous enormously entirely especially exceptional exceptionally extreme extremely fabulously flipping flippin frackin fracking fricking frickin frigging friggin fully fuckin fucking fuggin fugging greatly hella highly hugely incredible incredibly intensely major majorly more most particularly purely quite really remarkably so substantially thoroughly total totally tremendous tremendously uber unbelievably unusually utter utterly very',
  ),
  dampeners: wordSet(
    'almost barely hardly kinda kindof less little marginal marginally occasional occasionally partly scarce scarcely slight slightly somewhat sorta sortof',
  ),
  negations: wordSet(
    "aint arent cannot cant couldnt darent didnt doesnt ain't aren't can't couldn't daren't didn't doesn't dont hadnt hasnt havent isnt mightnt mustnt neither don't hadn't hasn't haven't isn't mightn't mustn't neednt needn't never none nope nor not nothing nowhere oughtnt shant shouldnt uhuh wasnt werent oughtn't shan't shouldn't uh-uh wasn't weren't without wont wouldnt won't wouldn't rarely seldom despite",
  ),
  negationPart: "n't",
  idioms: new Map([
    ['the shit', 3],
    ['the bomb', 3],
    ['bad ass', 1.5],
    ['badass', 1.5],
    ['bus stop', 0],
    ['yeah right', -2],
    ['kiss of death', -1.5],
    ['to die for', 3],
    ['beating heart', 3.1],
    ['broken heart', -2.9],
  ]),
  but: 'but',
  no: 'no',
  nor: /^n?or$/,
  never: 'never',
  afterNever: /^(so|this)$/,
  withoutDoubt: ['without', 'doubt'],
  kindOf: /^(kind|sort) of$/,
  kind: ['kind', 'of'],
  least: 'least',
  beforeLeast: /^(at|very)$/,
};
