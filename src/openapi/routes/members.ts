import { MemberListSchema, MemberSchema, NewMemberSchema } from '../../contract/members.ts';
import { AT } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const MEMBER = { email: 'anna@example.com', role: 'analyst' as const, added_at: AT, signed_in_at: null };

export const members: Descriptions = {
  'GET /sign-in': {
    id: 'signInPerson',
    tag: 'members',
    summary: 'Sign in with OpenID Connect',
    description: 'For browsers: continues at the issuer that the operator chose, with PKCE.',
    answers: {
      302: { description: 'The page of the issuer.', headers: ['Location', 'Set-Cookie'] },
    },
    errors: ['INVALID_REQUEST', 'INVALID_KEY', 'NOT_FOUND', 'OVERLOADED'],
  },
  'GET /sign-in/callback': {
    id: 'endSignIn',
    tag: 'members',
    summary: 'End a sign-in',
    description:
      'The issuer sends the browser here. Sets a cookie that lasts twelve hours, for the members of the tenant alone.',
    answers: { 302: { description: 'The page that was asked for.', headers: ['Location', 'Set-Cookie'] } },
    errors: ['INVALID_REQUEST', 'INVALID_KEY', 'FORBIDDEN', 'NOT_FOUND', 'KEYS_DISABLED', 'OVERLOADED'],
  },
  'DELETE /sign-in': {
    id: 'signOutPerson',
    tag: 'members',
    summary: 'Sign out',
    answers: { 204: { description: 'The session has ended, also for copies of its cookie.', headers: ['Set-Cookie'] } },
    errors: ['FORBIDDEN'],
  },
  'GET /members': {
    id: 'listMembers',
    tag: 'members',
    summary: 'List the people who may sign in',
    answers: {
      200: { description: 'The members, by address.', content: json(MemberListSchema, { members: [MEMBER] }) },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND'],
  },
  'PUT /members/:email': {
    id: 'putMember',
    tag: 'members',
    summary: 'Add a member, or change the role',
    description: 'After a change, the sessions of the person end. A tenant can have 1,000 members.',
    body: { content: json(NewMemberSchema, { role: 'analyst' }) },
    answers: { 200: { description: 'The member.', content: json(MemberSchema, MEMBER) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'LAST_MANAGER'],
  },
  'DELETE /members/:email': {
    id: 'removeMember',
    tag: 'members',
    summary: 'Remove a member',
    description: 'The sessions of the person end within a minute.',
    answers: { 204: { description: 'The person cannot sign in any more.' } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'LAST_MANAGER'],
  },
};
