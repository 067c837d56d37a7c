/** Inflectional suffixes, in the order in which one is looked for; a light stem has one of them off. */
export const SUFFIXES = ["'s", 'ing', 'edly', 'ed', 'ies', 'es', 's', 'ly'];

/** Endings that adverbs, adjectives and verb forms have. */
export const NOT_A_NOUN = /(?:ly|ful|ous|able|ible|ial|ing|ed|est|ive|less)$/;
