import { isMainThread } from 'node:worker_threads';

/**
 * Importing this keeps ONNX Runtime's native library silent. Without the variable, the library writes a device id and a
 * database to the home folder and sends usage data to its vendor. The library reads the variable once, when it loads,
 * from the environment of the process (a thread has only a copy of it). Code that starts threads which load models must
 * therefore import this first. Verified with onnxruntime-node 1.30.0 (test/pipeline/models/no-telemetry.test.ts).
 */
const NO_TELEMETRY = { ORT_DISABLE_TELEMETRY: '1' };

if (isMainThread) Object.assign(process.env, NO_TELEMETRY);
else if (process.env.ORT_DISABLE_TELEMETRY !== NO_TELEMETRY.ORT_DISABLE_TELEMETRY)
  throw new Error('The main thread must import models/no-telemetry.ts before a thread loads a model');
