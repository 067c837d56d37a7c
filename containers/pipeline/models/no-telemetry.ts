import { isMainThread } from 'node:worker_threads';

/**
 * Importing this keeps ONNX Runtime's native library silent: without the variable it writes a device id and a database
 * under the home folder and sends what it is used for to its vendor. The library reads it once, when it loads, and from
 * the process itself, of whose environment a thread has a mere copy: whoever starts threads that load models imports
 * this before. Verified with onnxruntime-node 1.30.0 (test/pipeline/models/no-telemetry.test.ts).
 */
export const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' };

if (isMainThread) Object.assign(process.env, NO_TELEMETRY);
else if (process.env.ORT_DISABLE_TELEMETRY !== NO_TELEMETRY.ORT_DISABLE_TELEMETRY)
  throw new Error('The main thread has to import models/no-telemetry.ts before a thread loads a model');
