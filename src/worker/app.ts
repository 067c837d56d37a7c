import { Hono } from 'hono';
import { openCors } from './http/cors.ts';
import { answerError, answerUnknownPath } from './http/errors.ts';
import { methodsOf } from './http/methods.ts';
import { giveRequestId } from './http/request-id.ts';
import { observeRequests } from './http/request-times.ts';
import { withoutTrailingSlash } from './http/trailing-slash.ts';
import type { AppEnv } from './identity/env.ts';
import { requireAccess, requireKnownQuery } from './keys/access.ts';
import { logAccess } from './keys/access-log.ts';
import { analyze } from './routes/analyze.ts';
import { batch } from './routes/batch.ts';
import { commitments } from './routes/commitments.ts';
import { conversations } from './routes/conversations.ts';
import { dashboard } from './routes/dashboard.ts';
import { documentation } from './routes/documentation.ts';
import { holds } from './routes/holds.ts';
import { jobs } from './routes/jobs.ts';
import { keys } from './routes/keys.ts';
import { live, requireLive } from './routes/live.ts';
import { mcp } from './routes/mcp.ts';
import { operations } from './routes/operations.ts';
import { operator } from './routes/operator.ts';
import { patterns } from './routes/patterns.ts';
import { people } from './routes/people.ts';
import { playlists } from './routes/playlists.ts';
import { pool } from './routes/pool.ts';
import { receipts } from './routes/receipts.ts';
import { redactions } from './routes/redactions.ts';
import { rules } from './routes/rules.ts';
import { segment } from './routes/segment.ts';
import { shares } from './routes/shares.ts';
import { signIn } from './routes/sign-in.ts';
import { tenants } from './routes/tenants.ts';
import { tokens } from './routes/tokens.ts';
import { uploads } from './routes/uploads.ts';
import { views } from './routes/views.ts';
import { webhooks } from './routes/webhooks.ts';
import { settingsOf } from './settings/settings.ts';

/** The HTTP service: every route, and one handler each for unknown paths and errors. */
export const app = new Hono<AppEnv>()
  .use(observeRequests)
  .use(giveRequestId)
  .use(openCors)
  .use((c, next) => {
    // With invalid settings, every request fails with MISCONFIGURED.
    settingsOf(c.env);
    return next();
  })
  .use('/analyze/live/*', requireLive)
  .use('/docs/*', withoutTrailingSlash)
  .use('/app/*', withoutTrailingSlash)
  .use(requireAccess)
  .use(requireKnownQuery)
  .use(logAccess)
  .route('/', analyze)
  .route('/', live)
  .route('/', segment)
  .route('/', uploads)
  .route('/', webhooks)
  .route('/', rules)
  .route('/', people)
  .route('/', commitments)
  .route('/', patterns)
  .route('/', playlists)
  .route('/', views)
  .route('/', shares)
  .route('/', holds)
  .route('/', receipts)
  .route('/', batch)
  .route('/', redactions)
  .route('/', signIn)
  .route('/', conversations)
  .route('/', jobs)
  .route('/', keys)
  .route('/', tenants)
  .route('/', tokens)
  .route('/', operator)
  .route('/', operations)
  .route('/', pool)
  .route('/', dashboard)
  .route('/', documentation);

app.route('/', mcp(app.fetch));
app.notFound((c) => answerUnknownPath(c, (path) => methodsOf(app.routes, path)));
app.onError(answerError);
