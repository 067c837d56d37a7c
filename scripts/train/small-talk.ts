/**
 * A topic of small talk or everyday calls, written for this project. Conversations with known topic boundaries are
 * built from pieces of topics. A topic has four lists: openers (a question or statement), answers, follow-ups (which
 * refer back: it, that, they, one), and replies to those.
 */
export interface Topic {
  openers: string[];
  answers: string[];
  followUps: string[];
  replies: string[];
}

const WRITTEN = `
do you have any pets?|i have two dogs and they keep me busy.|my cat just had surgery.|are you a dog person?
yes, a golden retriever called max.|no pets, my landlord does not allow them.|i have a parrot that talks.|just a goldfish and a hamster.
how old is he?|what breed is it?|who looks after them when you travel?|does it shed a lot?
he turned four last month.|my sister takes them for walks.|she sleeps most of the day.|they were rescued from a shelter.

what do you do for a living?|i work as a nurse at the hospital.|i just started a new job.|what kind of work are you in?
i am a teacher at a primary school.|i drive a truck across the country.|i am an accountant, mostly tax returns.|i stay at home with my kids.
do you enjoy it?|how long have you been doing that?|is the pay any good?|what are the hours like?
almost ten years now.|it can be stressful but i like the people.|the night shifts are hard.|it pays the bills i guess.

do you have any brothers or sisters?|i come from a big family.|my mom raised me on her own.|are your parents still around?
i have three sisters and we are very close.|i am an only child.|my brother lives abroad so i rarely see him.|my father passed away when i was young.
are you close to them?|where do they live?|who is the oldest?|do you see them often?
we meet every sunday at my grandmother's house.|i am sorry to hear that.|she is the youngest.|we talk on the phone every week.

what is your favorite food?|i love cooking italian.|i am a vegetarian.|do you like sushi?
pasta with garlic and tomatoes.|i could eat tacos every day.|i only eat chicken and rice.|i bake a lot of bread and cakes.
what do you put on it?|do you make it yourself?|have you tried it with cheese?|is it spicy?
my grandmother taught me the recipe.|with plenty of olives.|i burn everything so i order in.|yes, it is delicious.

what kind of music do you like?|i play guitar in a band.|i went to a concert last night.|do you sing?
mostly rock and some jazz.|i listen to country when i drive.|classical piano, my mother taught me.|anything but rap.
have you seen them live?|what songs do they play?|do you write your own?|who is the singer?
we play small bars on weekends.|their last album was great.|i took lessons for years.|i sing in the shower only.

do you play any sports?|i am training for a marathon.|did you watch the football game?|i love swimming.
i play tennis twice a week.|i used to be a wrestler in college.|basketball, but my knees hurt.|i just watch it on television.
which team do you support?|how often do you train?|did they win?|who taught you?
we lost in the final.|every morning before breakfast.|my coach is very strict.|the home team, always.

what do you do for fun?|my hobby is painting.|i collect old coins.|do you like to hike?
i go fishing with my uncle.|i read and do puzzles.|i restore old furniture in my garage.|we camp in the mountains every summer.
what do you paint?|how did you get into that?|where do you go?|is it expensive?
landscapes mostly, in oil.|there is a trail behind my house.|a friend showed me.|not really, it is relaxing.

have you traveled anywhere nice?|i just came back from spain.|i have never been on a plane.|we are planning a trip to the beach.
i went to japan last spring.|i drove across europe with friends.|no, i am afraid of flying.|hawaii for our honeymoon.
how long did you stay?|what was the best part?|is it hot there?|did you go alone?
two weeks in a small hotel.|the temples were beautiful.|it rained the whole time.|with my husband and the children.

do you read much?|i am reading a mystery novel.|my favorite author is a horror writer.|do you like books?
mostly fantasy and science fiction.|i love biographies.|only magazines at the dentist.|i listen to audiobooks in the car.
who wrote it?|what is it about?|is it a series?|did you like the ending?
a detective who loses his memory.|it has five parts.|i could not put it down.|the movie was worse.

did you see any good movies lately?|i love watching comedies.|i saw the new superhero film.|what shows do you watch?
i am addicted to crime series.|i do not own a television.|cartoons with my daughter.|old black and white westerns.
who was in it?|was it scary?|how many seasons are there?|did you see it in the theater?
the actor was amazing.|i fell asleep halfway.|three so far.|i cried at the end.

are you married?|i am getting married in june.|my girlfriend broke up with me.|do you have kids?
i have been married for twenty years.|single and happy.|two boys, four and six.|we are engaged.
how did you meet?|what are their names?|are you having a big wedding?|how are you coping?
at a party in college.|they keep us awake at night.|just the family and a few friends.|it is hard but i have my friends.

where are you from?|i grew up on a farm.|i live in the city.|do you like where you live?
a small town in ohio.|i moved to canada last year.|i was born in mexico.|near the ocean in california.
what is it like there?|do you miss it?|is it crowded?|why did you move?
quiet, everyone knows everyone.|the traffic is awful.|for my wife's job.|i go back every christmas.

how is the weather today?|it has been snowing all week.|i hate the heat.|it is raining again.
sunny and warm.|freezing, i need a new coat.|there was a storm last night.|cloudy with some wind.
will it stop soon?|do you like it cold?|did you lose power?|is it always like that?
for two hours in the evening.|i prefer the summer.|they say it clears up tomorrow.|every winter.

what car do you drive?|i just bought a used truck.|my car broke down this morning.|do you like driving?
an old red pickup.|i ride a bicycle to work.|i take the bus everywhere.|an electric one, it saves money.
how many miles does it have?|what happened to it?|is it fast?|did you fix it yourself?
the engine made a strange noise.|it cost me a fortune.|the mechanic wants eight hundred.|it is very reliable.

are you in school?|i am studying biology.|i failed my math exam.|what did you study?
i am a freshman in college.|i dropped out to start a business.|engineering, at night.|i graduated ten years ago.
what do you want to become?|is it difficult?|which class do you like best?|when do you finish?
a doctor i hope.|chemistry, the teacher is funny.|one more year.|too much homework.

do you like video games?|i spend all night gaming.|do you play cards?|i love board games.
mostly shooters with my brother.|i play chess at the park.|no, i find them boring.|puzzle games on my phone.
what do you play it on?|are you good at it?|do you play online?|is there a story?
i won a small tournament.|on an old console.|my friends always beat me.|yes with people everywhere.

do you exercise?|i am trying to lose weight.|i go to the gym.|i do yoga every morning.
i run three miles a day.|i lift weights after work.|no i am lazy.|i walk my kids to school.
does it help?|what do you eat?|how do you stay motivated?|how much have you lost?
lots of vegetables and no sugar.|fifteen pounds so far.|my back feels better.|a friend comes along.

do you drink coffee?|i could not live without tea.|i quit smoking last year.|what do you like to drink?
four cups a day.|only decaf after lunch.|a glass of wine in the evening.|water, i am boring.
how do you take it?|was that hard?|where do you buy it?|does it keep you awake?
black with sugar.|the first month was horrible.|a little shop on the corner.|not at all.

what are your plans for the weekend?|i am having a party on saturday.|my birthday is tomorrow.|any plans for the holidays?
sleeping in and cleaning the house.|my parents are visiting.|we will go shopping for clothes.|a barbecue with the neighbors.
how many people are coming?|what are you wearing?|what will you get?|who is cooking?
about thirty.|a blue dress and new shoes.|my husband does the grill.|nothing fancy.

do you garden?|i grow roses.|we just bought a house.|i am painting my kitchen.
tomatoes and peppers.|everything i plant dies.|three bedrooms and a yard.|it needs a new roof.
what color did you pick?|is it big?|when do you move in?|do you use pesticides?
a light green.|next month if the bank agrees.|no, all natural.|big enough for us.

are you religious?|i volunteer at a church.|i believe in ghosts.|do you vote?
i was raised catholic.|not really, i believe in science.|i help at the food bank.|my family is very political.
why do you say that?|how often do you go?|have you seen one?|did that change over time?
i saw one in my aunt's attic.|on sundays and holidays.|after college it did.|it is a private matter.

do you like to dance?|i am learning ballet.|i love fashion.|what is your favorite color?
salsa on fridays.|i have two left feet.|i make my own dresses.|purple, my whole room is purple.
who do you dance with?|is it hard to learn?|where do you find the fabric?|why that one?
my partner from the club.|it takes years.|it reminds me of the sea.|at the market.

i am allergic to peanuts.|i have a terrible headache.|i broke my arm.|have you been ill?
i get sick every winter.|i had the flu.|i fell off a ladder.|my tooth has been hurting.
did you see a doctor?|does it hurt?|how long will that take?|are you taking anything for it?
they gave me pills.|six weeks in a cast.|it is getting better.|i am waiting for the results.

do you speak any languages?|i am learning french.|i want to be a pilot.|what is your dream?
spanish and a little german.|i would love to open a bakery.|to see the northern lights.|only english sadly.
how are you learning it?|what is stopping you?|is the grammar hard?|could you do that part time?
with an app on the train.|money mostly.|my teacher is from paris.|maybe when i retire.

my parcel has not arrived.|i would like to check on an order.|where is my delivery?|i ordered a lamp last week.
may i have the order number?|it shows as shipped on monday.|the courier could not find the address.|let me look that up.
when will it get here?|can they try again?|is there a tracking link?|who signed for it?
by friday at the latest.|i have emailed it to you.|they will call you first.|it says the neighbor took it.

i want a refund for these shoes.|how do i return an item?|the screen arrived cracked.|this jacket is the wrong size.
was it bought in the last thirty days?|do you still have the receipt?|i am sorry about that.|you can send it back free of charge.
how long does that take?|do i need the box?|can i swap it instead?|who pays the postage?
five to seven days.|a voucher or your money, as you like.|we send you a label.|any packaging is fine.

my internet is down again.|the router keeps blinking red.|i cannot log in to my account.|my password does not work.
have you restarted it?|what do you see on the screen?|let me run a test on your line.|i can reset that for you.
it still says error.|how do i do that?|will i lose my files?|when is the engineer coming?
tomorrow between eight and noon.|please type the code you received.|no, they are safe.|it is working now.

there is a charge on my bill i do not know.|can i change my plan?|how much is the monthly fee?|why did my bill go up?
that is the roaming charge.|the discount ended in march.|it is twenty nine a month.|i see two payments here.
can you take it off?|is there a cheaper one?|is that with tax?|from when?
i can credit half of it.|from the next cycle.|yes, all included.|let me ask my supervisor.

i need to book an appointment.|do you have anything on thursday?|can i see the dentist this week?|i must move my appointment.
nine thirty or two o'clock.|we are full until monday.|which doctor do you see?|what is it about?
is there nothing earlier?|how long will it take?|can i bring my son?|will you send a reminder?
half an hour.|someone may cancel.|yes, by text message.|please come ten minutes early.

tell me about your experience.|why did you leave your last company?|what are your strengths?|how do you handle conflict?
i led a team of six engineers.|the role no longer let me grow.|i listen first and then decide.|i built their reporting from nothing.
how did you measure that?|what would you do differently?|who did you report to?|how big was the budget?
revenue rose by a fifth.|to the head of operations.|i would plan earlier.|we shipped on time.

what does your product cost?|we have three pricing tiers.|let us talk about the contract.|is there a discount for a yearly plan?
it starts at forty a seat.|ten percent if you pay up front.|the minimum is twelve months.|support is included.
does that include training?|can we pay quarterly?|what happens if we cancel?|is that negotiable?
that is beyond our budget.|i can put it in writing.|ninety days' notice.|i have to run it by finance.

how are you handling reports today?|what tools does your team use?|what is the biggest problem right now?|walk me through your process.
it is all spreadsheets and email.|two people copy numbers by hand.|we lose about a day a week.|the old system crashes.
how many people does that touch?|what does that cost you?|have you tried to fix it?|who owns it?
it drives everyone crazy.|about forty users.|a vendor let us down before.|my manager does.

let me show you the dashboard.|here is how the integration works.|i will share my screen.|this is the mobile app.
you can filter by region here.|it syncs every night.|one click and it exports.|the alerts go to your phone.
does it work with our database?|can you change the colors?|is the data encrypted?|what about single sign on?
yes, both in transit and at rest.|out of the box.|that is on the roadmap.|our engineers help you set it up.

i was in an accident.|i want to file a claim.|what does my policy cover?|someone hit my parked car.
was anybody hurt?|when did it happen?|do you have photos of the damage?|your excess is two hundred.
will my premium go up?|do i get a rental?|what if they deny it?|where do i send them?
not if it was not your fault.|to the address in the letter.|for up to ten days.|an assessor will call.

we should agree on next steps.|who takes the minutes?|when do we meet again?|let us look at the schedule.
i will send the draft by tuesday.|testing slips by a week.|the launch is in may.|marketing needs two more weeks.
can we pull that forward?|who else should be there?|is that realistic?|what is blocking it?
the design is not signed off.|i will talk to legal.|same time next week.|if nobody falls ill.
`;

/** The topics as objects. */
export const TOPICS: Topic[] = WRITTEN.trim()
  .split('\n\n')
  .map((block) => {
    const [openers, answers, followUps, replies] = block.split('\n').map((line) => line.split('|'));
    return { openers: openers!, answers: answers!, followUps: followUps!, replies: replies! };
  });

const REACTIONS =
  'that is cool.|nice.|oh wow.|i am sorry to hear that.|sounds great.|i see.|haha, really?|interesting.|me too.|lucky you.|okay.|good for you.|i understand.|that must be fun.|awesome!|right.|yeah i agree.|great, thank you.|perfect.|no problem.'.split(
    '|',
  );
const BACK_QUESTIONS = 'you?|what about you?|how about you?|and you?|do you?'.split('|');

/** A conversation with several topics. A boundary is the turn that opens a new one. */
export function smallTalk(
  random: () => number,
  topics: number,
): { turns: string[]; speakers: string[]; boundaries: number[] } {
  const pick = <T>(list: T[]): T => list[Math.floor(random() * list.length)]!;
  const turns: string[] = [];
  const boundaries: number[] = [];
  const chance = (p: number) => random() < p;
  const join = (...parts: string[]) => parts.filter(Boolean).join(' ');
  const order = TOPICS.map((topic) => ({ topic, key: random() }))
    .sort((a, b) => a.key - b.key)
    .slice(0, topics);
  for (const { topic } of order) {
    if (turns.length > 0) boundaries.push(turns.length);
    turns.push(join(turns.length > 0 && chance(0.6) ? pick(REACTIONS) : '', pick(topic.openers)));
    turns.push(
      join(chance(0.15) ? pick(REACTIONS) : '', pick(topic.answers), chance(0.35) ? pick(BACK_QUESTIONS) : ''),
    );
    for (let more = Math.floor(random() * 4); more > 0; more--) {
      const kind = random();
      if (kind < 0.5) turns.push(join(chance(0.5) ? pick(REACTIONS) : '', pick(topic.followUps)));
      else if (kind < 0.75)
        turns.push(
          join(chance(0.6) ? pick(REACTIONS) : '', pick(topic.answers), chance(0.3) ? pick(topic.followUps) : ''),
        );
      else turns.push(pick(topic.replies));
      if (kind < 0.5 && chance(0.8)) turns.push(join(pick(topic.replies), chance(0.2) ? pick(topic.followUps) : ''));
    }
    if (chance(0.2)) turns.push(pick(REACTIONS));
  }
  return { turns, speakers: turns.map((_, i) => (i % 2 === 0 ? 'a' : 'b')), boundaries };
}
