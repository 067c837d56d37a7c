import { type CallOptions, type Connection, jsonCall, path, withQuery } from './connection.ts';
import type {
  NewPersonRequest,
  Person,
  PersonList,
  PersonPatchRequest,
  PersonProposals,
  PersonRemoval,
} from './wire.ts';

/** Manages people, who may be speakers in any conversation. */
export class People {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Adds a person.
   *
   * @example
   * const bo = await undertone.people.create({ name: 'Bo Lund', role: 'agent' });
   * await undertone.conversations.edit(id, { people: { Speaker_0: bo.id } });
   */
  create(person: NewPersonRequest, { signal }: CallOptions = {}): Promise<Person> {
    return this.#connection.json('people', { ...jsonCall('POST', person), repeatable: false, signal });
  }

  /** All people, by name. */
  async list({ signal }: CallOptions = {}): Promise<Person[]> {
    return (await this.#connection.json<PersonList>('people', { repeatable: true, signal })).people;
  }

  get(id: string, { signal }: CallOptions = {}): Promise<Person> {
    return this.#connection.json(path`people/${id}`, { repeatable: true, signal });
  }

  /** Speakers without a name who may be this person, with the words that say so. */
  proposals(id: string, { cursor, signal }: CallOptions & { cursor?: string } = {}): Promise<PersonProposals> {
    return this.#connection.json(withQuery(path`people/${id}/proposals`, { cursor }), { repeatable: true, signal });
  }

  /** Changes a person, in all conversations too. */
  edit(id: string, patch: PersonPatchRequest, { signal }: CallOptions = {}): Promise<Person> {
    return this.#connection.json(path`people/${id}`, { ...jsonCall('PATCH', patch), repeatable: true, signal });
  }

  /** Removes a person, and the name from all conversations. */
  delete(id: string, { signal }: CallOptions = {}): Promise<PersonRemoval> {
    return this.#connection.json(path`people/${id}`, { method: 'DELETE', repeatable: false, signal });
  }
}
