import {
  ConversationHoldsSchema,
  HoldListSchema,
  HoldRequestSchema,
  HoldSchema,
  NewHoldSchema,
} from '../../contract/holds.ts';
import { AT, HOLD } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const OVER_FILTER = {
  ...HOLD,
  conversation_id: null,
  filter: { label: 'acme', created_after: AT },
  conversations: 12,
};

export const holds: Descriptions = {
  'GET /conversations/:conversation_id/hold': {
    id: 'readHolds',
    tag: 'holds',
    summary: 'Read the holds that keep a conversation',
    answers: {
      200: {
        description: 'Its own hold, and those over filters, oldest first. Empty if it is not on hold.',
        content: json(ConversationHoldsSchema, { holds: [HOLD] }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'PUT /conversations/:conversation_id/hold': {
    id: 'holdConversation',
    tag: 'holds',
    summary: 'Put a conversation on hold',
    description:
      'Nothing deletes the conversation or replaces its result until the hold ends or is lifted: deletion and reanalysis answer 409 `ON_HOLD`, and retention waits. A second request changes the reason and the end. The audit log records who set it and when.',
    body: { content: json(HoldRequestSchema, { reason: HOLD.reason }) },
    answers: { 200: { description: 'The hold.', content: json(HoldSchema, HOLD) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND', 'NOT_COMPLETED'],
  },
  'DELETE /conversations/:conversation_id/hold': {
    id: 'releaseConversation',
    tag: 'holds',
    summary: "Lift a conversation's own hold",
    description: 'Holds over filters that it matched stay. The audit log records who lifted it.',
    answers: { 204: { description: 'The hold is lifted.' } },
    errors: ['NOT_FOUND'],
  },
  'POST /holds': {
    id: 'holdMatching',
    tag: 'holds',
    summary: 'Hold every conversation that matches a filter',
    description:
      'Also those that match it later. A conversation that has matched stays on hold when its labels or people are edited. A tenant can have 100 such holds.',
    body: { content: json(NewHoldSchema, { filter: OVER_FILTER.filter, reason: HOLD.reason }) },
    answers: { 201: { description: 'The hold.', content: json(HoldSchema, OVER_FILTER) } },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /holds': {
    id: 'listHolds',
    tag: 'holds',
    summary: 'List holds',
    answers: {
      200: {
        description: 'Holds on one conversation and over filters, newest first.',
        content: json(HoldListSchema, { holds: [OVER_FILTER, HOLD], next_cursor: null }),
      },
    },
    errors: ['INVALID_REQUEST'],
  },
  'DELETE /holds/:hold_id': {
    id: 'liftHold',
    tag: 'holds',
    summary: 'Lift a hold',
    description: 'Retention then applies again at once. The audit log records who lifted it.',
    answers: { 204: { description: 'The hold is lifted.' } },
    errors: ['NOT_FOUND'],
  },
};
