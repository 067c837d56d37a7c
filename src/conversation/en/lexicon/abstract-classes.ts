/**
 * Classes by which the n-grams of a sentence are made general: a word of a class stands for the class, a function word
 * for itself, any other word for `<w>`. The first class that has a word wins.
 */
export const ABSTRACT_CLASSES: Readonly<Record<string, string>> = {
  neg: "not no don't doesn't didn't can't cannot couldn't won't wouldn't isn't aren't wasn't weren't never nah nope hardly haven't hasn't shouldn't nothing nobody none nowhere neither without ain't",
  yes: 'yes yeah yep yup okay ok sure alright absolutely definitely certainly aye deal agreed indeed gladly',
  good: 'good great fine perfect lovely wonderful excellent brilliant fantastic nice smashing grand super ideal helpful useful fair reasonable doable fabulous fab amazing awesome marvellous cool better best happy glad delighted pleased keen sensible tempting interesting handy worth',
  bad: 'bad terrible awful steep expensive pricey rough tricky tight wrong worst worse impossible ridiculous rubbish difficult hard complicated risky dodgy useless pointless worried nervous afraid scared sceptical skeptical concerned hesitant awkward unreliable slow broken late busy stuck trouble',
  day: 'monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays tomorrow tonight today morning afternoon evening noon midnight weekend weekends lunchtime',
  month:
    'january february march april june july august september october november december spring summer autumn winter christmas easter week month year quarter fortnight weeks months years quarters term season days hours minutes half-hour',
  num: 'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million half quarter double twice third dozen couple first second fourth fifth sixth seventh eighth ninth tenth twelfth thirteenth nineteenth twentieth twenty-first',
  money:
    'pound pounds quid dollar dollars euro euros pence cents grand percent price prices pricing cost costs fee fees budget money rate rates rent payment payments salary discount invoice bill charge charges premium premiums expense expenses deposit cash margin retainer bonus afford cheaper credit refund instalments insurance',
  boss: 'boss manager director board husband wife partner spouse committee procurement purchasing legal finance cfo ceo cto landlord parents mum mother dad father son daughter accountant lawyer governors diocese head headquarters council members approval signature authority',
  rival:
    'competitor competitors competition alternative alternatives vendor vendors supplier suppliers provider providers rival rivals elsewhere quote quotes',
  tech: 'integration integrate integrations compatible api security data migration system systems software server servers database uptime install platform sso compliance gdpr encryption latency bug bugs setup export import files file network computer computers app login crash crashes crashed technical version device engine signal wifi',
  trust:
    'trust reviews reputation scam burned burnt stung promised promises guarantee reliable references proof credibility believe vanished cheated lied catch risk',
  /** Base forms that open a command or follow a modal. */
  act: `accept add adjust agree aim apply approve arrange ask attend avoid back bear beat begin bet bill block book borrow bring build bump buy call cancel carry catch change charge chase check choose
    clear close come commit compare confirm connect consider contact continue convert cook count courier cover credit cut deal decide delay delete deliver design discuss do donate double draft drive drop
    email employ end enrol exchange expand extend file fill find finish fit fix focus follow forward fund get give go grab grant guarantee guide halve hand handle have help hire hold host include increase
    install introduce invest invite issue join keep knock launch lay lead learn leave lend let limit link lock look lower mail make manage mark match measure meet mend mention merge move nominate offer open order
    organise organize pack paint park pass pause pay pencil phone pick pilot place plan play pop post postpone practise prepare prescribe print produce propose protect provide pull purchase push put raise
    record redo reduce refer refund release renew rent repair repeat replace report request reschedule reserve ring roll rope rotate run save scan schedule sell send separate serve set settle share shift ship show
    shut sign sit skip sleep slow sort speak speed split squeeze stagger start stay stick stop store submit suggest supply support suspend swap switch take talk test text throw time top trade train transfer
    travel treat trial trim try turn update upgrade use visit wait waive walk wash watch wear work wrap write`,
  /** Base forms that tell of knowing and feeling: after a modal they offer nothing. */
  mind: 'see hear imagine remember understand believe feel know think guess say tell suppose wonder mean appreciate recall notice realise realize hope expect wish',
  like: 'like love want need prefer fancy care mind',
};

const FUNCTION_WORDS =
  `^ $ ? a an the and or but if so then than that this these those there here it it's i'm i've i'd i'll we'll we'd we're we've you you'd you'll you're you've i we us me my our your they
  he she them him her his their is are was were be been being am do does did doing done have has had having can could will would shall should may might must what when where which who whom
  whose why how off on in into at to from for with by about as up down out over again also too only just even still already yet now ever always maybe perhaps probably actually really very much
  many more most some any all both each few lot because since while after before until till get going gone let let's please thanks thank sorry rather sooner else instead another other same back
  away something anything everything that's there's what's who's i-mean you-know well oh right to be whether unless though`.split(
    /\s+/,
  );

const abstractOf = new Map<string, string>(FUNCTION_WORDS.map((w) => [w, w]));
for (const [name, words] of Object.entries(ABSTRACT_CLASSES))
  for (const w of words.split(/\s+/)) if (!abstractOf.has(w)) abstractOf.set(w, `<${name}>`);

const NUMBER = /^[£$€]?\d/;

/** The class or function word a word stands for, `<num>` for figures, else `<w>`. */
export const abstractWord = (word: string): string => abstractOf.get(word) ?? (NUMBER.test(word) ? '<num>' : '<w>');
