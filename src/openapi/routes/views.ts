import { NewViewSchema, ViewListSchema, ViewPatchSchema, ViewSchema } from '../../contract/views.ts';
import { VIEW } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

const view = { description: 'The view.', content: json(ViewSchema, VIEW) };

export const views: Descriptions = {
  'POST /views': {
    id: 'addView',
    tag: 'views',
    summary: 'Save a view',
    description:
      'A tenant can have 200 views. With `tell`, the webhook `view.matched` reports each new conversation with moments that match.',
    body: { content: json(NewViewSchema, { name: VIEW.name, page: VIEW.page, query: VIEW.query }) },
    answers: { 201: view },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /views': {
    id: 'listViews',
    tag: 'views',
    summary: 'List views',
    answers: { 200: { description: 'All views, by name.', content: json(ViewListSchema, { views: [VIEW] }) } },
  },
  'GET /views/:view_id': {
    id: 'getView',
    tag: 'views',
    summary: 'Read a view',
    answers: { 200: view },
    errors: ['NOT_FOUND'],
  },
  'PATCH /views/:view_id': {
    id: 'changeView',
    tag: 'views',
    summary: 'Rename a view, change its filters, or switch its alert',
    body: { content: json(ViewPatchSchema, { name: VIEW.name }) },
    answers: { 200: view },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED', 'NOT_FOUND'],
  },
  'DELETE /views/:view_id': {
    id: 'deleteView',
    tag: 'views',
    summary: 'Delete a view',
    answers: { 204: { description: 'The view no longer exists.' } },
    errors: ['NOT_FOUND'],
  },
};
