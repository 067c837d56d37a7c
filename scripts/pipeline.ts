import { settingsOf } from '../src/worker/settings/settings.ts';
import { requireFfmpeg, requireFreePort } from '../tools/machine.ts';
import { DEV_VARS, say, serve } from './start/command.ts';
import { pipelineProcess } from './start/pipeline-process.ts';
import { workerVariables } from './start/worker-settings.ts';

// `npm run pipeline`: the pipeline alone, on the port where a plain `wrangler dev` in another terminal expects it.

serve(async (atEnd) => {
  const { pipelinePort } = settingsOf(workerVariables(DEV_VARS, process.env));
  await requireFreePort(pipelinePort, 'PIPELINE_PORT', 'npm run pipeline');
  requireFfmpeg(say);
  say('starting the pipeline (loads the models)');
  const pipeline = await pipelineProcess(pipelinePort);
  atEnd(() => pipeline.stop());
  await pipeline.start();
  say(`the pipeline listens at http://127.0.0.1:${pipelinePort}; Ctrl-C stops it`);
  say('to start the service, run in another terminal: npx wrangler dev --var DEMO_API_KEY:your-key');
});
