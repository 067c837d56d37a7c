import { NewUploadSchema, StoredPartSchema, UploadPartSchema, UploadSchema } from '../../contract/uploads.ts';
import {
  CreatedWebhookSchema,
  DeliveryListSchema,
  DeliverySchema,
  NewWebhookSchema,
  WebhookListSchema,
  WebhookPatchSchema,
  WebhookSchema,
} from '../../contract/webhooks.ts';
import { AT, DELIVERY, UPLOAD, WEBHOOK } from '../examples.ts';
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
        description: 'The upload, with the size and number of its parts.',
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
    summary: 'Read which parts were received',
    answers: { 200: { description: 'The upload.', content: json(UploadSchema, UPLOAD) } },
    errors: ['NOT_FOUND'],
  },
  'DELETE /uploads/:upload_id': {
    id: 'abortUpload',
    tag: 'uploads',
    summary: 'Abort an upload',
    answers: { 204: { description: 'The upload and its parts are deleted.' } },
    errors: ['NOT_FOUND', 'OVERLOADED'],
  },
  'PUT /uploads/:upload_id/parts/:number': {
    id: 'sendPart',
    tag: 'uploads',
    summary: 'Send a part',
    description: 'Parts may be sent in any order, in parallel and repeatedly; the last upload of each number counts.',
    body: {
      content: {
        'application/octet-stream': {
          schema: bytes('The bytes of the part: `part_bytes` of the upload, or fewer in the last part.'),
        },
      },
    },
    answers: { 200: { description: 'The part is stored.', content: part } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
  'POST /uploads/:upload_id/parts/:number': {
    id: 'tellPart',
    tag: 'uploads',
    summary: 'Report a part that was sent directly to the object store',
    body: { content: json(StoredPartSchema, { etag: '9b2ef4c1' }) },
    answers: { 200: { description: 'The part is recorded.', content: part } },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED', 'OVERLOADED'],
  },
  'POST /uploads/:upload_id/complete': {
    id: 'completeUpload',
    tag: 'uploads',
    summary: 'Complete the upload and analyse the file',
    description: 'The upload becomes a conversation with the same id. The request may be repeated.',
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
    answers: { 200: { description: 'All webhooks.', content: json(WebhookListSchema, { webhooks: [WEBHOOK] }) } },
  },
  'PATCH /webhooks/:webhook_id': {
    id: 'changeWebhook',
    tag: 'webhooks',
    summary: 'Change the address or the events of a webhook',
    description: 'The secret stays the same. Messages that wait to be sent go to the new address.',
    body: { content: json(WebhookPatchSchema, { url: 'https://example.com/undertone/v2' }) },
    answers: {
      200: {
        description: 'The changed webhook.',
        content: json(WebhookSchema, { ...WEBHOOK, url: 'https://example.com/undertone/v2' }),
      },
    },
    errors: ['INVALID_REQUEST', 'NOT_FOUND', 'UPLOAD_STALLED'],
  },
  'DELETE /webhooks/:webhook_id': {
    id: 'removeWebhook',
    tag: 'webhooks',
    summary: 'Remove a webhook',
    answers: { 204: { description: 'The webhook is removed; pending messages are dropped.' } },
    errors: ['NOT_FOUND'],
  },
  'POST /webhooks/:webhook_id/test': {
    id: 'testWebhook',
    tag: 'webhooks',
    summary: 'Send a test message to a webhook',
    description:
      'Sends a signed message of the type `webhook.test` to this webhook alone, whatever its events are and even if it is disabled. It is attempted once.',
    answers: {
      202: {
        description: 'The delivery. The list of deliveries has its outcome.',
        content: json(DeliverySchema, {
          ...DELIVERY,
          event: 'webhook.test',
          conversation_id: null,
          status: 'pending',
          attempts: 0,
          last_status: null,
          last_attempt_at: null,
          next_attempt_at: AT,
        }),
      },
    },
    errors: ['NOT_FOUND'],
  },
  'GET /webhooks/:webhook_id/deliveries': {
    id: 'listDeliveries',
    tag: 'webhooks',
    summary: 'List the deliveries of a webhook',
    answers: {
      200: {
        description: 'The last hundred deliveries, newest first.',
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
      202: {
        description: 'The delivery is pending again, with all its attempts.',
        content: json(DeliverySchema, { ...DELIVERY, status: 'pending' }),
      },
    },
    errors: ['NOT_FOUND'],
  },
};
