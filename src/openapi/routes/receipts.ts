import { ReceiptKeysSchema } from '../../contract/receipts.ts';
import { RECEIPT_KEY } from '../examples.ts';
import { type Descriptions, json } from '../operation.ts';

export const receipts: Descriptions = {
  'GET /receipts/keys': {
    id: 'receiptKeys',
    tag: 'conversations',
    summary: 'Read the public key of receipts',
    description:
      'A JWK Set, with which any JWS library checks the `signed` receipt of a deletion. The key is made once for a deployment.',
    answers: { 200: { description: 'The public keys.', content: json(ReceiptKeysSchema, { keys: [RECEIPT_KEY] }) } },
  },
};
