import { Hono } from 'hono';
import { requestId } from 'hono/request-id';
import type { AppEnv } from './env.ts';
import { openCors } from './http/cors.ts';
import { answerError, answerUnknownPath } from './http/errors.ts';
import { methodsOf } from './http/methods.ts';
import { analyze } from './routes/analyze.ts';
import { live } from './routes/live.ts';
import { operations } from './routes/operations.ts';
import { segment } from './routes/segment.ts';

export { PipelineContainer } from './analysis/pipeline-container.ts';
export { LiveQuota } from './live/quota.ts';
export { LiveSession } from './live/session.ts';
export { Metrics } from './metrics/metrics.ts';

const app = new Hono<AppEnv>()
  .use(requestId())
  .use(openCors)
  .route('/', analyze)
  .route('/', live)
  .route('/', segment)
  .route('/', operations);

app.notFound((c) => answerUnknownPath(c, (path) => methodsOf(app.routes, path)));
app.onError(answerError);

export default app;
