import { AwsClient } from 'aws4fetch';
import type { Settings } from '../settings/settings.ts';

/** Lifetime of a signed URL, seconds. GET /uploads/{id} returns new ones. */
const SIGNED_S = 3_600;

/** URL of the bucket for the S3 protocol, and a key with write access to the bucket. */
export interface S3Access {
  /** `https://<account>.r2.cloudflarestorage.com/<bucket>` */
  bucketUrl: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Undefined when clients may not write to the bucket directly. */
export function s3Access({ s3BucketUrl, s3AccessKeyId, s3SecretAccessKey }: Settings): S3Access | undefined {
  if (s3BucketUrl === undefined || s3AccessKeyId === '' || s3SecretAccessKey === '') return undefined;
  return { bucketUrl: s3BucketUrl, accessKeyId: s3AccessKeyId, secretAccessKey: s3SecretAccessKey };
}

/** A signed URL that accepts a PUT request with one part of one upload. */
export async function presignedPart(
  { bucketUrl, ...credentials }: S3Access,
  key: string,
  multipartId: string,
  number: number,
): Promise<string> {
  const url = new URL(`${bucketUrl.replace(/\/$/, '')}/${key.split('/').map(encodeURIComponent).join('/')}`);
  url.searchParams.set('uploadId', multipartId);
  url.searchParams.set('partNumber', String(number));
  url.searchParams.set('X-Amz-Expires', String(SIGNED_S));
  const client = new AwsClient({ ...credentials, service: 's3', region: 'auto' });
  return (await client.sign(new Request(url, { method: 'PUT' }), { aws: { signQuery: true } })).url;
}
