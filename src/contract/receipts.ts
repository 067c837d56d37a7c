import * as z from 'zod';

/** A signed receipt in an answer, beside the members that it contains. */
export const SignedReceiptSchema = z
  .string()
  .describe(
    'The same receipt with its `tenant` and `deleted_by`, as a compact JWS (RFC 7515) signed with Ed25519. `GET /receipts/keys` has the public key.',
  );

/** The members that only the signed form of a receipt has. */
export interface ReceiptOrigin {
  tenant: string;
  /** `key <id>`, or the operator as the audit names it. */
  deleted_by: string;
}

/** Response of GET /receipts/keys: a JWK Set (RFC 7517). */
export const ReceiptKeysSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().describe('The public key, base64url.'),
        kid: z.string().describe("The key's thumbprint (RFC 7638), which the header of a receipt names."),
        alg: z.literal('EdDSA'),
        use: z.literal('sig'),
      }),
    ),
  })
  .meta({ id: 'ReceiptKeys', description: 'The public keys of signed receipts.' });
export type ReceiptKeys = z.infer<typeof ReceiptKeysSchema>;
