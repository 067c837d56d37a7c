/**
 * Made utterances with names and addresses, each with the question before it. They were written for this project; names
 * are drawn from the census lists of `data/names`, streets and towns from the lists below.
 */
import { digits, int, pick } from '../../../support/random.ts';

export interface NameLists {
  first: readonly string[];
  surnames: readonly string[];
  /** Names that real speakers gave: whole names as they were written. */
  given: readonly string[];
}

/** A text in which `{N:...}`, `{A:...}` and `{E:...}` stand around names, addresses and other entities. */
export interface MadeText {
  before: string;
  text: string;
}

const STREET_WORDS =
  'Oak Maple Cedar Pine Elm Walnut Chestnut Birch Willow Cherry Spring Lake River Hill Valley Forest Meadow Park Garden Church School Station Mill Bridge Market High Main North South East West Union Liberty Victoria Albert King Queen Prince Duke Castle Abbey Priory Manor Grange Highland Sunset Sunrise Ridge Canyon Ocean Bay Harbor Beach Shore Fox Deer Eagle Falcon Heron Kingfisher Orchard Vine Rose Lilac Jasmine Magnolia Holly Ivy Hawthorn Broad Long Green White Black Red Silver Golden Stone Rock Sandy Clear Deep Cross Court College University Washington Lincoln Jefferson Madison Franklin Jackson Monroe Grant Hamilton Wellington Nelson Windsor Richmond Kensington Gandhi Nehru Nagar Temple Bell Crown Ferry Wharf Quarry Colonial Pleasant Summit Prospect Center Central Front Water Commerce Industrial Airport'.split(
    ' ',
  );
const STREETS =
  'Street Street Street Road Road Road Avenue Avenue Lane Lane Drive Drive Court Way Place Boulevard Close Crescent Terrace Square Gardens Grove Parkway Circle Trail Row Walk Highway Mews'.split(
    ' ',
  );
const SHORT_STREETS = 'St Rd Ave Ln Dr Ct Blvd Pl St. Rd. Ave. Dr.'.split(' ');
const FOREIGN = [
  ...['Rue {w}', 'Rue de la {w}', 'Via {w}', 'Viale {w}', 'Calle {w}', 'Calle de {w}', 'Avenida {w}', 'Rua {w}'],
  ...['Rua da {w}', 'ul. {w}', 'ulica {w}', '{w}straße', '{w}strasse', '{w}weg', '{w}gasse', '{w}straat', '{w}laan'],
  ...['{w}gatan', '{w}vägen', '{w}veien', '{w}vej', '{w}gade', '{w}katu', '{w}tie', '{w} utca', '{w} út', '{w} tér'],
  ...['{w} Nagar', '{w} Colony', '{w} Marg', '{w} Chowk', '{w} Cross', 'Plaza {w}', 'Chemin de {w}', 'Place {w}'],
];
const STEMS =
  'Linden Berg Haupt Kirch Garten Bahnhof Wald Rosen Storg Kung Drottning Strand Skog Lund Dal Berge Nieuwe Molen Kerk Dorp Garibaldi Roma Verdi Mazzini Dante Mayor Colon Bolivar Cervantes Libertad Republique Victor Moulin Lilas Pasteur Paz Flores Prado Kosciuszki Polna Lipowa Leśna Ogrodowa Petofi Kossuth Rakoczi Ady Mannerheim Koivu Metsä Kauppa Anna Ram Krishna Lakshmi Shivaji Subhash Patel Ashok'.split(
    ' ',
  );
const TOWNS =
  'Boston Chicago Dallas Houston Denver Phoenix Seattle Portland Austin Memphis Detroit Atlanta Miami Tampa Orlando Cleveland Columbus Cincinnati Pittsburgh Buffalo Albany Hartford Providence Springfield Salem Burlington Concord Dover Trenton Princeton Baltimore Richmond Norfolk Raleigh Durham Charlotte Savannah Charleston Nashville Louisville Lexington Omaha Lincoln Topeka Wichita Tulsa Reno Fresno Oakland Sacramento Bakersfield Pasadena Tucson Boise Spokane Tacoma Anchorage Honolulu London Leeds Manchester Liverpool Sheffield Bristol Cardiff Swansea Glasgow Edinburgh Dundee Aberdeen Belfast Newcastle Sunderland York Hull Nottingham Derby Leicester Coventry Oxford Cambridge Norwich Ipswich Brighton Southampton Portsmouth Plymouth Exeter Bath Swindon Reading Toronto Montreal Vancouver Calgary Ottawa Winnipeg Halifax Sydney Melbourne Perth Brisbane Adelaide Auckland Dublin Cork Galway Mumbai Delhi Chennai Bangalore Madurai Kolkata Hyderabad Pune Berlin Munich Hamburg Vienna Zurich Paris Lyon Marseille Madrid Barcelona Lisbon Porto Rome Milan Turin Warsaw Krakow Budapest Prague Oslo Stockholm Helsinki Copenhagen Amsterdam Rotterdam Brussels Antwerp Athens Nicosia'.split(
    ' ',
  );
const STATES =
  'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY California Texas Florida Ohio Michigan Virginia Georgia Massachusetts Colorado Arizona'.split(
    ' ',
  );
const COUNTRIES =
  'Germany France Spain Italy Portugal Poland Hungary Norway Sweden Denmark Finland Iceland Belgium Netherlands Austria Switzerland Greece Cyprus Tunisia Uruguay Brazil Mexico Canada Australia India Ireland Scotland England Wales'.split(
    ' ',
  );
const COMPANIES =
  'Microsoft Google Amazon Apple Netflix Walmart Target Verizon Vodafone Comcast Toyota Ford Honda Nissan Tesla Samsung Sony Nike Adidas Starbucks Subway Paypal Visa Mastercard Barclays Lloyds Santander Chase Citibank Allianz Aviva Geico Progressive Allstate Delta United Lufthansa Ryanair Hilton Marriott Sheraton Ikea Tesco Costco Adobe Norton Windows Android Spotify Youtube Facebook Twitter Instagram Uber Lyft Airbnb FedEx DHL Acme Globex Initech Northwind Contoso'.split(
    ' ',
  );
const THINGS =
  'Monday Tuesday Wednesday Thursday Friday Saturday Sunday January March April June July October December Easter Christmas Thanksgiving English Spanish German French Chinese American British European Camry Corolla Civic Accord Focus Fiesta Mustang Galaxy Pixel Kindle Echo Ibuprofen Metformin Lisinopril Tylenol Aspirin Prozac Lipitor'.split(
    ' ',
  );

type Random = () => number;

/** Draws frequent names more often, and every name sometimes. */
const drawn = (random: Random, from: readonly string[]): string =>
  from[Math.floor((random() < 0.5 ? random() ** 4 : random()) * from.length)]!;

/** A name nobody has: some letters of another, as a recogniser mishears it and a list does not have it. */
function misheard(random: Random, name: string, other: string): string {
  const cut = int(random, 1, Math.max(1, name.length - 1));
  const tail = other.slice(int(random, 1, Math.max(1, other.length - 2))).toLowerCase();
  return name.slice(0, cut) + tail;
}

function firstName(random: Random, { first }: NameLists): string {
  const name = drawn(random, first);
  return random() < 0.2 ? misheard(random, name, drawn(random, first)) : name;
}

function surname(random: Random, { surnames }: NameLists): string {
  const name = drawn(random, surnames);
  if (random() < 0.04) return `${name}-${drawn(random, surnames)}`;
  return random() < 0.25 ? misheard(random, name, drawn(random, surnames)) : name;
}

function name(random: Random, lists: NameLists): string {
  const way = random();
  if (lists.given.length > 0 && random() < 0.35) return pick(random, lists.given);
  if (way < 0.35) return firstName(random, lists);
  if (way < 0.85) return `${firstName(random, lists)} ${surname(random, lists)}`;
  if (way < 0.9) return `${firstName(random, lists)} ${digitsToLetter(random)}. ${surname(random, lists)}`;
  if (way < 0.95) return `${firstName(random, lists)} ${firstName(random, lists)} ${surname(random, lists)}`;
  return surname(random, lists);
}

const digitsToLetter = (random: Random): string => String.fromCharCode(65 + int(random, 0, 25));

const spelled = (random: Random, lists: NameLists): string => {
  const letters = [...(random() < 0.5 ? surname(random, lists) : firstName(random, lists)).replace(/[^A-Za-z]/gu, '')];
  const way = random();
  return letters.map((letter) => (way < 0.6 ? letter.toUpperCase() : letter)).join(way < 0.3 ? '-' : ' ');
};

function street(random: Random, lists: NameLists): string {
  const way = random();
  const word =
    random() < 0.6 ? pick(random, STREET_WORDS) : random() < 0.7 ? surname(random, lists) : firstName(random, lists);
  if (way < 0.55) return `${word} ${pick(random, STREETS)}`;
  if (way < 0.63) return `${word} ${pick(random, STREET_WORDS)} ${pick(random, STREETS)}`;
  if (way < 0.73) return `${word} ${pick(random, SHORT_STREETS)}`;
  if (way < 0.78) {
    const number = int(random, 1, 120);
    const ending = number % 10 === 1 ? 'st' : number % 10 === 2 ? 'nd' : number % 10 === 3 ? 'rd' : 'th';
    return `${number}${ending} ${pick(random, STREETS)}`;
  }
  if (way < 0.81)
    return `${pick(random, ['North', 'South', 'East', 'West', 'N', 'S', 'E', 'W'])} ${word} ${pick(random, STREETS)}`;
  const stem = random() < 0.6 ? pick(random, STEMS) : surname(random, lists);
  return pick(random, FOREIGN).replace('{w}', stem);
}

const town = (random: Random, lists: NameLists): string => {
  const way = random();
  if (way < 0.75) return pick(random, TOWNS);
  const own = surname(random, lists);
  return way < 0.85
    ? `${own}${pick(random, ['ville', 'ton', 'burg', 'ford', 'field', 'wood', ' Springs', ' Falls', ' Park'])}`
    : way < 0.92
      ? own.toUpperCase()
      : `${pick(random, ['New', 'North', 'San', 'Santa', 'Saint', 'Port', 'Fort'])} ${own}`;
};

function address(random: Random, lists: NameLists): string {
  const way = random();
  if (way < 0.05) return `PO Box ${digits(random, int(random, 2, 5))}`;
  if (way < 0.08)
    return `${pick(random, ['PSC', 'Unit', 'CMR'])} ${digits(random, 4)}, Box ${digits(random, 4)} ${pick(random, ['APO', 'FPO', 'DPO'])} ${pick(random, ['AE', 'AP', 'AA'])} ${digits(random, 5)}`;
  if (way < 0.13)
    return `${random() < 0.5 ? 'the ' : ''}corner of ${street(random, lists)} and ${street(random, lists)}`;
  const number = digits(random, int(random, 1, 5)).replace(/^0+(?=.)/u, '');
  const own = street(random, lists);
  const isTail = random() < 0.25;
  let text = isTail ? `${own} ${number}` : `${number} ${own}`;
  if (random() < 0.06) text = `${digits(random, int(random, 2, 4))} ${text}`;
  if (random() < 0.25) {
    const unit = `${pick(random, ['Apt', 'Apt.', 'Apartment', 'Unit', 'Suite', 'Flat', 'Number'])} ${random() < 0.8 ? int(random, 1, 999) : `${int(random, 1, 30)}${digitsToLetter(random)}`}`;
    text = unit.startsWith('Flat') || random() < 0.2 ? `${unit}, ${text}` : `${text}${pick(random, [',', ''])} ${unit}`;
  }
  if (random() < 0.5) text += `${pick(random, [',', ',', ''])} ${town(random, lists)}`;
  if (random() < 0.35) text += `${pick(random, [',', ''])} ${pick(random, STATES)} ${digits(random, 5)}`;
  else if (random() < 0.15)
    text += `, ${digitsToLetter(random)}${digitsToLetter(random)}${int(random, 1, 20)} ${int(random, 1, 9)}${digitsToLetter(random)}${digitsToLetter(random)}`;
  if (random() < 0.12) text += `, ${pick(random, COUNTRIES)}${random() < 0.4 ? ` ${digits(random, 5)}` : ''}`;
  return text;
}

/** `question | text`: what is asked before, and the utterance. */
const TEMPLATES = `
What is your name? | {name}
What is your name? | {name}.
Can I have your full name please? | Yes, it's {name}.
Can I have your name? | Sure, {name}.
May I have your first and last name? | {first}, {last}.
Could you spell your last name? | {spelled}.
Could you spell that for me? | Sure, it's {spelled}.
And the name on the account? | It's under {name}.
And the name? | The account is in my {relation}'s name, {name}.
Who am I speaking with? | This is {name}.
Who is calling please? | My name is {name} and I'm calling about my order.
How are you today? | I'm {first}.
Hello | Hi, this is {first} from {company}, how can I help you today?
Hello | Thank you for calling {company}, my name is {first}, how can I help?
Hello | Good morning, you're through to {first}.
Hello | Hey {first}, how are you?
Hello | Hi {first}, thanks for calling back.
What happened? | Well {first}, I ordered it last {thing} and it never came.
Thanks | Thank you so much, {first}.
Thanks | Okay, {first}, let me check that for you.
Thanks | Perfect. So {first}, is there anything else?
Thanks | All right Mr. {last}, I have your account here.
Thanks | And is that correct, Mrs. {last}?
Thanks | Ms. {last} will call you back tomorrow.
Thanks | Dr. {last} can see you at three.
Who told you? | I spoke to somebody called {first} yesterday.
Who told you? | I talked with {name} last week, and she said it would be free.
Who told you? | It was {name}, I think.
Who else? | My wife {first} and my son {first} are on the policy too.
Who else? | Just {first} and {first}.
Who is it for? | It's for my {relation}, {name}.
Who is it for? | {first} needs it by {thing}.
And then? | Then {first} called me and told me to wait.
And then? | {name} signed for the parcel, but I don't know who that is.
And then? | So {first} and I went to {town} with {first}.
And then? | I gave it to {first}, and {first} gave it back.
And then? | {first}'s car was parked outside.
And then? | He asked {first} if {first} could do it.
And then? | {name} says it's fine.
And then? | We met {name} at {company} in {town}.
Where were you born? | I was born in {town}, but {first} was born in {town}.
Anything else? | Can you put {name} on the account as well?
Anything else? | Could you tell {first} that I called?
Anything else? | Please remove {name} from the booking.
Anything else? | Send it to the attention of {name}.
Anything else? | I'd like to change the name on my ticket to {name}.
Anything else? | Please make the cheque out to {name}.
Your name? | {first} {spelled}
Your name and address? | {name}, {address}
Your name and address? | My name is {name} and I live at {address}.
Your name and booking number? | {first} and 4587
Your name and number? | name {name} phone 5551234567
Hello | i am {name}
Hello | im {first} and i need help with my account
Hello | myself {name}
Hello | my name is {name}
Hello | name is {first}
Hello | {name} here
Hello | {first} speaking
Hello | hi {first}
What is your address? | {address}
What is your address? | It's {address}.
What is your address? | Yes, I live at {address}.
Can I have the delivery address? | Sure, that's {address}.
Can you confirm the first line of your address? | {address}.
Where do you live? | I live at {address}.
Where should we send it? | Please send it to {address}.
Where should we send it? | To my office, {address}.
Anything else? | I moved, my new address is {address}.
Anything else? | Please update my billing address to {address}.
Anything else? | The pickup is at {address} at nine.
Anything else? | We are located at {address}.
Anything else? | The restaurant is at {address}, next to the {company}.
Anything else? | Can you send a technician to {address}?
Anything else? | Is it still {address}?
And then? | The accident was on {street} near the {company}.
And then? | I was driving down {street} when it happened.
And then? | I'll meet you at {address} after lunch.
And then? | Our head office is in {town}, at {address}.
And then? | They sent it to {address} instead of {address}.
Address | address {address}
Address | {address} phone 5551234567
Address | name {name} address {address}
Which city? | {town}
Which city? | I'm flying from {town} to {town}.
Which city? | I want to go to {town} on {thing}.
Which country? | I'm in {country} at the moment.
Which company? | I work for {company}.
Which company? | It's {company}, in {town}.
Which company? | {company}
Which product? | The {thing} from {company}.
Which product? | {thing}
How can I help? | My {company} account is locked.
How can I help? | I bought a {thing} in {town}.
How can I help? | I'd like two large pizzas and a coke, please.
How can I help? | I want to book a flight to {town} for three people.
When? | On {thing} at half past four.
When? | I think it was the third of {thing}.
When? | Not before {thing}, I'm away until then.
What is your name? | Why do you need that?
What is your name? | Sorry, can you say that again?
What is your name? | One moment please.
What is your address? | I'd rather not say.
What is your address? | Do you need the zip code as well?
What is your address? | Which one, home or work?
Can I have your name? | Sure, one second.
How much? | It was forty two dollars and fifty cents.
How much? | I paid 250 for 3 of them.
How many? | There are 12 of us, and we'd like 4 rooms.
How long? | About 20 minutes, maybe 30.
The number? | My order number is 4587 2231.
The number? | My card ends in 4242.
Okay? | Yes, that's correct.
Okay? | No, that's not right.
Okay? | I will check and let you know, may I put you on hold?
Okay? | Mark it as paid, please, and grant me access.
Okay? | I hope you will have the grace to bill me later.
Okay? | The bill is due in May, so I'll pay in June.
Okay? | In the long run the rich hunter may pace the hall.
`
  .trim()
  .split('\n')
  .map((line) => {
    const [before = '', text = ''] = line.split(' | ');
    return { before, text };
  });
const RELATIONS = 'wife husband son daughter mother father brother sister friend colleague boss neighbour'.split(' ');
/** Parts that may stand before and after an utterance. */
const STARTS = ['', '', '', '', 'Yes. ', 'Uh, ', 'Um, so ', 'Okay. ', 'Well, ', 'No, ', 'Yeah, ', 'Right, '];
const ENDS = ['', '', '', '', ' Thank you.', ' Please.', ' Is that okay?', ' Can you check?', ' All right?'];

/** One made utterance. */
export function madeText(random: Random, lists: NameLists): MadeText {
  const { before, text } = pick(random, TEMPLATES);
  const filled = text.replaceAll(/\{(\w+)\}/gu, (_, slot: string): string => {
    switch (slot) {
      case 'name':
        return `{N:${name(random, lists)}}`;
      case 'first':
        return `{N:${firstName(random, lists)}}`;
      case 'last':
        return `{N:${surname(random, lists)}}`;
      case 'spelled':
        return `{N:${spelled(random, lists)}}`;
      case 'address':
        return `{A:${address(random, lists)}}`;
      case 'street':
        return `{A:${street(random, lists)}}`;
      case 'town':
        return `{E:${town(random, lists)}}`;
      case 'country':
        return `{E:${pick(random, COUNTRIES)}}`;
      case 'company':
        return `{E:${pick(random, COMPANIES)}}`;
      case 'thing':
        return `{E:${pick(random, THINGS)}}`;
      default:
        return pick(random, RELATIONS);
    }
  });
  return { before, text: pick(random, STARTS) + filled + pick(random, ENDS) };
}
