import type { Env } from '../src/worker/identity/env.ts';
import worker from './tested-worker.ts';

export * from '../src/worker/index.ts';

type Handler = NonNullable<typeof worker.fetch>;
type Bucket = Env['MEDIA'];
type Upload = Awaited<ReturnType<Bucket['createMultipartUpload']>>;

/** Request header that fills the disk. Its value is the number of parts that still fit. */
const ROOM_HEADER = 'X-Room-For-Parts';
/** Response header with the number of multipart uploads that are neither completed nor aborted. */
const OPEN_HEADER = 'X-Open-Uploads';

const open = new Set<string>();

/** A bucket that stores parts and objects until its disk is full, and then fails as the local runtime does. */
function filling(bucket: Bucket, room: number): Bucket {
  const take = (): void => {
    if (room-- <= 0) throw new Error('database or disk is full: SQLITE_FULL');
  };
  const tracked = (upload: Upload): Upload => {
    const ended = async <T>(call: Promise<T>): Promise<T> => {
      const answer = await call;
      open.delete(upload.uploadId);
      return answer;
    };
    open.add(upload.uploadId);
    return {
      key: upload.key,
      uploadId: upload.uploadId,
      uploadPart: async (...given: Parameters<Upload['uploadPart']>) => {
        take();
        return upload.uploadPart(...given);
      },
      complete: (parts: Parameters<Upload['complete']>[0]) => ended(upload.complete(parts)),
      abort: () => ended(upload.abort()),
    };
  };
  return new Proxy(bucket, {
    get(target, name: keyof Bucket) {
      if (name === 'createMultipartUpload')
        return async (...given: Parameters<Bucket['createMultipartUpload']>) =>
          tracked(await target.createMultipartUpload(...given));
      if (name === 'resumeMultipartUpload')
        return (...given: Parameters<Bucket['resumeMultipartUpload']>) =>
          tracked(target.resumeMultipartUpload(...given));
      if (name === 'put')
        return async (...given: Parameters<Bucket['put']>) => {
          if (room <= 0) take();
          return target.put(...given);
        };
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The Worker with a bucket whose disk fills up for requests with the header. */
export default {
  ...worker,
  async fetch(request: Parameters<Handler>[0], env: Env, context: Parameters<Handler>[2]): Promise<Response> {
    const room = request.headers.get(ROOM_HEADER);
    const MEDIA = filling(env.MEDIA, room === null ? Number.POSITIVE_INFINITY : Number(room));
    const answer = await worker.fetch(request, { ...env, MEDIA }, context);
    const headers = new Headers(answer.headers);
    headers.set(OPEN_HEADER, String(open.size));
    return new Response(answer.body, { status: answer.status, headers });
  },
} satisfies typeof worker;
