import { NewUploadSchema, StoredPartSchema, UploadPartSchema, UploadSchema } from '../../contract/uploads.ts';
import {
  CreatedWebhookSchema,
  DeliveryListSchema,
  DeliverySchema,
  NewWebhookSchema,
  WebhookListSchema,
} from '../../contract/webhooks.ts';
import { DELIVERY, UPLOAD, WEBHOOK } from '../examples.ts';
import { bytes, type Descriptions, json } from '../operation.ts';
import { ANALYSIS_ERRORS, WAITED } from './analyses.ts';

const part = json(UploadPartSchema, { number: 1, bytes: 16_777_216 });

export const uploads: Descriptions = {
  'POST /uploads': {
    id: 'openUpload',
    tag: 'uploads',
    summary: 'Open an upload',
    headers: ['Idempotency-Key'],
    body: { content: json(NewUploadSchema, { filename: 'meeting.mp4', bytes: 40_000_000, goal: 'What was decided?' }) },
    answers: {
      201: {
        description: 'The upload: how its parts are cut.',
        content: json(UploadSchema, UPLOAD),
        headers: ['Location'],
      },
    },
    errors: [
      'INVALID_REQUEST',
      'UNSUPPORTED_MEDIA',
      'FILE_TOO_LARGE',
      'UPLOAD_STALLED',
      'NOT_FOUND',
      'KEY_REUSED',
      'OVERLOADED',
    ],
  },
  'GET /uploads/:upload_id': {
    id: 'getUpload',
    tag: 'uploads',
    summary: 'See which parts arrived',
    answers: { 200: { description: 'The upload.', content: json(UploadSchema, UPLOAD) } },
    errors: ['NOT_FOUND'],
  },
  'DELETE /uploads/:upload_id': {
    id: 'abortUpload',
    tag: 'uploads',
    summary: 'Give an upload up',
    answers: { 204: { description: 'Nothing of it stays.' } },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
  'PUT /uploads/:upload_id/parts/:number': {
    id: 'sendPart',
    tag: 'uploads',
    summary: 'Send a part',
    description: 'In any order, several at a time, and again: the last one of a number counts.',
    body: { content: { 'application/octet-stream': { schema: bytes('As many bytes as the upload says.') } } },
    answers: { 200: { description: 'It is stored.', content: part } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
  'POST /uploads/:upload_id/parts/:number': {
    id: 'tellPart',
    tag: 'uploads',
    summary: 'Tell of a part that went straight to the store',
    body: { content: json(StoredPartSchema, { etag: '9b2ef4c1' }) },
    answers: { 200: { description: 'It is noted.', content: part } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
  'POST /uploads/:upload_id/complete': {
    id: 'completeUpload',
    tag: 'uploads',
    summary: 'Have the file analysed',
    description: 'The upload becomes the conversation of the same id. May be asked for again.',
    headers: ['Prefer'],
    answers: WAITED,
    errors: ANALYSIS_ERRORS,
  },
};

export const webhooks: Descriptions = {
  'POST /webhooks': {
    id: 'addWebhook',
    tag: 'webhooks',
    summary: 'Add a webhook',
    body: { content: json(NewWebhookSchema, { url: 'https://example.com/undertone', events: ['analysis.completed'] }) },
    answers: {
      201: {
        description: 'The webhook with its secret.',
        content: json(CreatedWebhookSchema, { ...WEBHOOK, secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }),
      },
    },
    errors: ['INVALID_REQUEST', 'UPLOAD_STALLED'],
  },
  'GET /webhooks': {
    id: 'listWebhooks',
    tag: 'webhooks',
    summary: 'List webhooks',
    answers: { 200: { description: 'All of them.', content: json(WebhookListSchema, { webhooks: [WEBHOOK] }) } },
  },
  'DELETE /webhooks/:webhook_id': {
    id: 'removeWebhook',
    tag: 'webhooks',
    summary: 'Remove a webhook',
    answers: { 204: { description: 'What was not delivered never will be.' } },
    errors: ['NOT_FOUND'],
  },
  'GET /webhooks/:webhook_id/deliveries': {
    id: 'listDeliveries',
    tag: 'webhooks',
    summary: 'See what became of its messages',
    answers: {
      200: {
        description: 'The last hundred, newest first.',
        content: json(DeliveryListSchema, { deliveries: [DELIVERY] }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'POST /webhooks/:webhook_id/deliveries/:delivery_id/redeliver': {
    id: 'redeliver',
    tag: 'webhooks',
    summary: 'Send a message again',
    answers: {
      202: { description: 'With all its attempts.', content: json(DeliverySchema, { ...DELIVERY, status: 'pending' }) },
    },
    errors: ['NOT_FOUND'],
  },
};
