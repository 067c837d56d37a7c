/** Words that carry no subject: function words, conversation words and verbs of every talk. */
const STOP = new Set(
  `^ $ ? a an the and or but if so then than that this these those there here it its it's he she they them him her his their we us our ours you
  your yours i me my mine i'm i've i'd i'll you're you've you'd you'll we're we've we'd we'll they're they've they'd that's there's what's who's
  he's she's let's is are was were be been being am do does did done doing don't doesn't didn't have has had having haven't hasn't can could will
  would shall should may might must can't couldn't won't wouldn't shouldn't isn't aren't wasn't weren't not no yes yeah yep okay ok right well oh
  um uh hmm mm just really very much many more most some any all both each few little lot lots of off on in into at to from for with without by
  about as up down out over under again also too only even still now ever never always maybe perhaps probably actually basically i-mean you-know
  like kind sort thing things something anything everything nothing one ones two three what when where which who whom why how because since while
  after before until get gets got getting go goes going gone went come comes came make makes made take takes took give gives gave say says said
  tell told know knew known think thought see saw seen look looks looking want wanted need needs mean guess sure good great fine nice please thanks
  thank sorry hello hi hey bye alright way back time bit today first last next other another same new old let put yet though although`
    .split(/\s+/)
    .filter(Boolean),
);

/** Strips the commonest endings, so that `invoices` meets `invoice`; crude and symmetric, which is all overlap needs. */
const stem = (word: string): string => word.replace(/'s$/, '').replace(/(?:ies|ing|ed|es|s)$/, '') || word;

/** The words of a sentence that tell its subject, stemmed. */
export const contentWords = (tokens: readonly string[]): string[] =>
  tokens.filter((t) => t.length > 2 && !STOP.has(t) && !/\d/.test(t)).map(stem);
