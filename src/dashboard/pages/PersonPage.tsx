import '../style/pills.css';
import '../style/people.css';
import '../style/shelf.css';
import { useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { daysAfter, mondays } from '../../sdk/days.ts';
import { USUAL_WEEKS, WEEKS, weekIn, weeksIn } from '../../sdk/page-filters.ts';
import type { CommitmentList, ConversationEntry, Person, PersonProposal } from '../../sdk/wire.ts';
import { errorTextOf } from '../lib/error-texts.ts';
import { capital, clock, dayName, recordedOn, shortDate } from '../lib/format.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Unready } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';
import { speakerName } from '../lib/speaker-names.ts';
import { say } from '../lib/tip.tsx';
import { titleOf } from '../lib/title.ts';
import { WeeksChoice } from '../lib/weeks.tsx';
import { LinkList } from './LinkList.tsx';
import { countOf, PersonDialog } from './People.tsx';
import { Timing } from './PersonTiming.tsx';
import { MEDIAN_FROM, notableWeeks, type PersonMeasure, TIMING, weeksOf } from './person-weeks.ts';

const TITLE = 'Person';
/** Limit on the conversations and commitments that are listed. */
const MOST_CONVERSATIONS = 100;
const MOST_COMMITMENTS = 5;

/** The filters, which are the address of the page. */
interface Filters {
  weeks: number;
  /** The Monday of one week. Empty: all weeks. */
  week: string;
  label: string;
}

const filtersIn = (query: Readonly<Record<string, string>>): Filters => ({
  weeks: weeksIn(query),
  week: weekIn(query),
  label: query.label ?? '',
});

interface Seen {
  person: Person;
  measures: readonly PersonMeasure[];
  conversations: readonly ConversationEntry[];
  owed: CommitmentList;
}

async function read(id: string, { weeks, label }: Filters, signal: AbortSignal): Promise<Seen> {
  const { people, patterns, conversations, commitments } = service();
  const columns = mondays(weeks);
  const asked = {
    by: 'person,day',
    speaker: id,
    from: columns[0]!,
    tz: Intl.DateTimeFormat().resolvedOptions().timeZone,
    ...(label !== '' && { label }),
    signal,
  };
  const [person, listed, owed, ...measures] = await Promise.all([
    people.get(id, { signal }),
    conversations.list({ person: id, limit: MOST_CONVERSATIONS, ...(label !== '' && { label }) }, { signal }),
    commitments.list({ person: id, status: 'open,accepted', limit: MOST_COMMITMENTS, signal }),
    ...TIMING.map(async (timing) =>
      weeksOf(timing, await patterns.trends({ ...asked, measure: timing.measure }), columns),
    ),
  ]);
  return { person, measures, conversations: listed.conversations, owed };
}

/** One person over weeks: measures of timing against the person's own median, conversations, and what is owed. */
export function PersonPage() {
  const { id = '' } = useRoute().params;
  const { query, path, route } = useLocation();
  const filters = filtersIn(query);
  const { weeks, label, week } = filters;
  const { value, error, again } = useLoaded((signal) => read(id, filters, signal), [id, weeks, label]);
  const [dialog, setDialog] = useState<'edit' | 'remove' | undefined>(undefined);
  if (error !== undefined || !value) return <Unready title={TITLE} error={error} again={again} />;
  const { person, measures, conversations, owed } = value;
  const narrow = (change: Partial<Filters>): void => {
    const next = { ...filters, ...change };
    const asked = new URLSearchParams();
    if (next.weeks !== USUAL_WEEKS) asked.set('weeks', String(next.weeks));
    if (next.label !== '') asked.set('label', next.label);
    if (next.week !== '') asked.set('week', next.week);
    route(asked.size === 0 ? path : `${path}?${asked}`);
  };
  const remove = async (): Promise<undefined> => {
    await service().people.delete(id);
    say('Person removed');
    route('/app/people');
  };
  return (
    <Page
      title={person.name}
      lead={`${capital(person.role ?? 'no role')} · ${countOf(person.conversations)} · timing only, against this person’s own median`}
      tools={
        <span class="row">
          <a class="btn ghost" href="/app/people">
            All people
          </a>
          <button type="button" class="btn" onClick={() => setDialog('edit')}>
            Edit
          </button>
          <button type="button" class="btn danger" onClick={() => setDialog('remove')}>
            Remove
          </button>
        </span>
      }
    >
      <Sentence key={label} filters={filters} narrow={narrow} />
      <Timing measures={measures} week={week} choose={(chosen) => narrow({ week: chosen })} />
      <div class="cards3">
        <HowToRead />
        <StandsOut measures={measures} />
        <Owes id={id} owed={owed} />
        <Same person={person} changed={again} />
      </div>
      <Conversations
        conversations={conversations}
        measures={measures}
        week={week}
        all={() => narrow({ week: '' })}
        list={`/app?${new URLSearchParams({ person: id })}`}
      />
      {dialog === 'edit' && <PersonDialog person={person} close={() => setDialog(undefined)} saved={again} />}
      {dialog === 'remove' && (
        <Prompt
          title={`Remove ${person.name}?`}
          act="Remove"
          isDangerous
          close={() => setDialog(undefined)}
          run={remove}
        >
          <p>The name disappears from {countOf(person.conversations)}. The conversations themselves stay.</p>
        </Prompt>
      )}
    </Page>
  );
}

interface Narrowing {
  filters: Filters;
  narrow: (change: Partial<Filters>) => void;
}

function Sentence({ filters: { weeks, label, week }, narrow }: Narrowing) {
  const submit = (e: SubmitEvent): void => {
    e.preventDefault();
    const given = new FormData(e.currentTarget as HTMLFormElement).get('label');
    narrow({ label: String(given ?? '').trim(), week: '' });
  };
  return (
    <form class="sentence" aria-label="Filters" onSubmit={submit}>
      <span>In conversations of the</span>
      <WeeksChoice weeks={weeks} choices={WEEKS} choose={(chosen) => narrow({ weeks: chosen, week: '' })} />
      <label>
        labelled <input class="pill" name="label" defaultValue={label} placeholder="anything" maxLength={60} />
      </label>
      {week !== '' && (
        <button type="button" class="pill" onClick={() => narrow({ week: '' })}>
          week of {shortDate(week)} ×
        </button>
      )}
    </form>
  );
}

const HowToRead = () => (
  <section class="card">
    <h2>How to read this</h2>
    <p>
      The dashed line is what is usual: the person’s own median of these weeks. The shaded band has the middle half of
      their conversations. Both begin with {MEDIAN_FROM} conversations. A ring is one conversation. A week with{' '}
      {MEDIAN_FROM} or more has a dot for each and a bar at its median.
    </p>
    <p>
      Below a week stands how many conversations it has; one without any is empty. “0 of 5” in it says that none of 5
      has enough speech to be measured.
    </p>
    <p>A dot or ring opens its conversation. A week narrows the list below.</p>
    <p class="muted">
      No target, no rank, no other person on this page. Timing depends on the kind of conversation: compare like with
      like.
    </p>
  </section>
);

function StandsOut({ measures }: { measures: readonly PersonMeasure[] }) {
  const found = Map.groupBy(notableWeeks(measures), ({ monday }) => monday);
  const weeks = measures[0]?.weeks ?? [];
  const thin = weeks.filter(({ n }) => n < MEDIAN_FROM).length;
  return (
    <section class="card">
      <h2>What stands out against their own weeks</h2>
      {[...found].map(([monday, measured]) => (
        <p key={monday}>
          Week of {shortDate(monday)}:{' '}
          {measured.map(({ name, value, own }, i) => (
            <span key={name}>
              {i > 0 && '; '}
              {name.toLowerCase()} <b class="num">{value}</b>, usually <b class="num">{own}</b>
            </span>
          ))}
        </p>
      ))}
      {found.size === 0 && <p>Nothing.</p>}
      {thin > 0 && (
        <p class="muted">
          {thin} of {weeks.length} weeks have fewer than {MEDIAN_FROM} conversations: nothing is said about them.
        </p>
      )}
    </section>
  );
}

/** Speakers who may be this person. Nothing is applied until somebody says yes. */
function Same({ person, changed }: { person: Person; changed: () => void }) {
  const { value, again } = useLoaded((signal) => service().people.proposals(person.id, { signal }), [person.id]);
  if (!value || value.proposals.length === 0) return null;
  const answer = (one: PersonProposal, isSame: boolean): void => {
    const { speaker, name, conversation_id } = one;
    const edit = isSame ? { people: { [speaker]: person.id } } : { dismiss: [{ speaker, name }] };
    const { conversations } = service();
    const undo = (): void => void conversations.undo(conversation_id).then(done, sayFault);
    const done = (): void => {
      again();
      if (isSame) changed();
    };
    void conversations.edit(conversation_id, edit).then(() => {
      say(isSame ? `${one.title}: ${person.name}` : `${one.title}: somebody else`, undo);
      done();
    }, sayFault);
  };
  return (
    <section class="card">
      <h2>
        Is this the same person? <small class="num">{value.proposals.length}</small>
      </h2>
      {value.proposals.map((one) => (
        <p key={`${one.conversation_id} ${one.speaker} ${one.name}`}>
          <q>
            <bdi>{one.quote}</bdi>
          </q>{' '}
          <a href={`/app/conversations/${encodeURIComponent(one.conversation_id)}?t=${Math.floor(one.t_start)}`}>
            <bdi>{one.title}</bdi>, {clock(one.t_start)}
          </a>{' '}
          <span class="muted">
            {speakerName(one.speaker)}, {recordedOn(one)}
            {one.sure ? '' : ', not sure'}
          </span>{' '}
          <button type="button" class="btn sm" onClick={() => answer(one, true)}>
            Yes
          </button>{' '}
          <button type="button" class="btn sm" onClick={() => answer(one, false)}>
            No
          </button>
        </p>
      ))}
    </section>
  );
}

const sayFault = (error: unknown): void => say(errorTextOf(error).what);

function Owes({ id, owed: { commitments, counts } }: { id: string; owed: CommitmentList }) {
  const total = counts.statuses.open + counts.statuses.accepted;
  return (
    <section class="card">
      <h2>
        Open commitments <small class="num">{total}</small>
      </h2>
      {commitments.map(({ commitment_id, conversation_id, deed, due, vague_due, t_start }) => (
        <p key={commitment_id}>
          <a href={`/app/conversations/${encodeURIComponent(conversation_id)}?t=${Math.floor(t_start)}`}>
            <bdi>{capital(deed)}</bdi>
          </a>{' '}
          <span class="muted num">
            {due ? dayName(due.date) : vague_due === null ? 'no date was said' : `“${vague_due}”, date unclear`}
          </span>
        </p>
      ))}
      {total === 0 ? (
        <p class="muted">None.</p>
      ) : (
        <p>
          <a class="btn sm" href={`/app/commitments?person=${encodeURIComponent(id)}`}>
            Open in Commitments
          </a>
        </p>
      )}
    </section>
  );
}

interface ConversationsProps {
  conversations: readonly ConversationEntry[];
  measures: readonly PersonMeasure[];
  week: string;
  /** Shows all weeks. */
  all: () => void;
  /** The address of the list with this person. */
  list: string;
}

function Conversations({ conversations, measures, week, all, list }: ConversationsProps) {
  const ofWeek = new Set(
    measures[0]?.weeks.find(({ monday }) => monday === week)?.points.map(({ conversation }) => conversation),
  );
  const shown = week === '' ? conversations : conversations.filter((one) => ofWeek.has(one.conversation_id));
  return (
    <section aria-labelledby="conversations">
      <h2 id="conversations" class="over">
        <a href={list}>Conversations</a>
        {week !== '' && (
          <small>
            {' '}
            {shortDate(week)} to {shortDate(daysAfter(week, 6))}{' '}
            <button type="button" class="link" onClick={all}>
              All
            </button>
          </small>
        )}
      </h2>
      {shown.length === 0 ? (
        <p class="muted">None is listed.</p>
      ) : (
        <LinkList
          links={shown.map((entry) => ({
            href: `/app/conversations/${encodeURIComponent(entry.conversation_id)}`,
            name: titleOf(entry),
            size: entry.result ? clock(entry.result.duration_s) : '',
            when: recordedOn(entry),
          }))}
        />
      )}
      {conversations.length === MOST_CONVERSATIONS && (
        <p class="muted">
          <Icon name="info" size={14} /> The newest {MOST_CONVERSATIONS} are shown.
        </p>
      )}
    </section>
  );
}
