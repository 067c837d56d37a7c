import {
  NewPersonSchema,
  PersonListSchema,
  PersonPatchSchema,
  PersonProposalsSchema,
  PersonRemovalSchema,
  PersonSchema,
} from '../../contract/people.ts';
import { AT, ID, PERSON, PROPOSALS } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const person = { description: 'The person.', content: json(PersonSchema, PERSON) };

const { person_id: _, ...heard } = PROPOSALS.names[0]!;
const PERSON_PROPOSAL = {
  ...heard,
  ...{ conversation_id: ID, title: 'Renewal' },
  ...{ created_at: AT, recorded_at: AT, recorded_at_source: 'given' as const },
};

export const people: Descriptions = {
  'POST /people': {
    id: 'addPerson',
    tag: 'people',
    summary: 'Add a person',
    description:
      'A tenant can have 1,000 people. `PATCH /conversations/{conversation_id}` with `people` says who a speaker is.',
    body: { content: json(NewPersonSchema, { name: 'Bo Lund', role: 'agent', external_id: 'u-1042' }) },
    answers: { 201: { ...person, content: json(PersonSchema, { ...PERSON, conversations: 0 }) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /people': {
    id: 'listPeople',
    tag: 'people',
    summary: 'List people',
    answers: { 200: { description: 'All people, by name.', content: json(PersonListSchema, { people: [PERSON] }) } },
  },
  'GET /people/:person_id': {
    id: 'getPerson',
    tag: 'people',
    summary: 'Read a person',
    answers: { 200: person },
    errors: ['NOT_FOUND'],
  },
  'PATCH /people/:person_id': {
    id: 'changePerson',
    tag: 'people',
    summary: 'Change a person',
    description: 'A new name or role is also shown in all conversations of the person, within seconds.',
    body: { content: json(PersonPatchSchema, { role: 'agent' }) },
    answers: { 200: person },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'GET /people/:person_id/proposals': {
    id: 'proposePerson',
    tag: 'people',
    summary: 'Find speakers without a name who may be a person',
    description:
      'Conversations in which the name, or its first part, is said of a speaker without a name: in an introduction, or in address. Nothing is applied. Accept one with `PATCH /conversations/{conversation_id}` and `people`, refuse it with `dismiss`.',
    answers: {
      200: {
        description: 'The proposals, with their quotes.',
        content: json(PersonProposalsSchema, { proposals: [PERSON_PROPOSAL], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'DELETE /people/:person_id': {
    id: 'deletePerson',
    tag: 'people',
    summary: 'Delete a person',
    description:
      'The name disappears from the results, exports, lists and the search of all conversations of the person, within seconds. Their speakers have their labels, or the names that they were given, again.',
    answers: {
      200: {
        description: 'The person no longer exists.',
        content: json(PersonRemovalSchema, { id: PERSON.id, deleted_at: AT, conversations: 12, pending: 2 }),
      },
    },
    errors: ['NOT_FOUND'],
  },
};
