import '../style/shelf.css';
import { useState } from 'preact/hooks';
import type { Person } from '../../sdk/wire.ts';
import { Icon } from '../lib/icons.tsx';
import { useLoaded } from '../lib/load.ts';
import { Unready } from '../lib/opening.tsx';
import { Page } from '../lib/page.tsx';
import { Prompt } from '../lib/prompt.tsx';
import { service } from '../lib/session.ts';

const TITLE = 'People';
/** People from which the list has a search. */
const SEARCH_FROM = 10;

/** Everybody who may be a speaker, by name. The list is sorted by no measure. */
export function People() {
  const { value, error, again } = useLoaded((signal) => service().people.list({ signal }), []);
  const [isAdding, setAdding] = useState(false);
  const [q, setQ] = useState('');
  if (error !== undefined || !value) return <Unready title={TITLE} error={error} again={again} />;
  const named = Map.groupBy(value, ({ name }) => name);
  const shown = value.filter(({ name }) => name.toLowerCase().includes(q.trim().toLowerCase()));
  return (
    <Page
      title={TITLE}
      lead="Who speaks in your conversations, by name. The page of a person compares their weeks with each other, and with nobody else’s."
      tools={
        <button type="button" class="btn" onClick={() => setAdding(true)}>
          <Icon name="plus" size={16} /> New person
        </button>
      }
    >
      {value.length > SEARCH_FROM && (
        <div class="tool">
          <input
            class="inp"
            type="search"
            aria-label="Search names"
            placeholder="Search names"
            value={q}
            onInput={(e) => setQ(e.currentTarget.value)}
          />
        </div>
      )}
      {value.length === 0 ? (
        <div class="card empty">
          <b>Nobody is named yet</b>
          <p>
            Add a person here. Then open a conversation, press “Rename” beside its people, and choose the name for a
            speaker. The person then has a page of their own.
          </p>
        </div>
      ) : (
        <ul class="card lists" aria-label={TITLE}>
          {shown.map(({ id, name, role, external_id, conversations }) => (
            <li key={id}>
              <a href={`/app/people/${encodeURIComponent(id)}`}>
                <b>
                  <bdi>{name}</bdi>
                </b>
                <span class="muted">
                  {role ?? 'no role'}
                  {/* Tells people of one name apart. */}
                  {external_id !== null && named.get(name)!.length > 1 && ` · ${external_id}`}
                </span>
                <span class="num">{countOf(conversations)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
      {value.length > 0 && shown.length === 0 && <p class="none1">Nobody has this name.</p>}
      {isAdding && <PersonDialog close={() => setAdding(false)} saved={again} />}
    </Page>
  );
}

export const countOf = (conversations: number): string =>
  `${conversations} ${conversations === 1 ? 'conversation' : 'conversations'}`;

interface PersonDialogProps {
  /** Absent: a new person. */
  person?: Person;
  close: () => void;
  saved: () => void;
}

/** The name, role and external id of a person. */
export function PersonDialog({ person, close, saved }: PersonDialogProps) {
  const run = async (form: FormData): Promise<undefined> => {
    const text = (name: string): string => String(form.get(name) ?? '').trim();
    const given = { name: text('name'), role: text('role') || null, external_id: text('external_id') || null };
    const { people } = service();
    await (person ? people.edit(person.id, given) : people.create(given));
    saved();
  };
  return (
    <Prompt title={person ? 'Edit this person' : 'New person'} act="Save" close={close} run={run}>
      <label class="field">
        <span>Name</span>
        <input class="inp" type="text" name="name" required maxLength={200} defaultValue={person?.name} dir="auto" />
      </label>
      <label class="field">
        <span>Role</span>
        <input class="inp" type="text" name="role" maxLength={40} defaultValue={person?.role ?? ''} list="roles" />
        <datalist id="roles">
          {['agent', 'customer', 'doctor', 'host', 'patient'].map((role) => (
            <option key={role} value={role} />
          ))}
        </datalist>
        <small>Such as agent or customer. Rules and trends read it.</small>
      </label>
      <label class="field">
        <span>Id in another system</span>
        <input class="inp" type="text" name="external_id" maxLength={200} defaultValue={person?.external_id ?? ''} />
      </label>
    </Prompt>
  );
}
