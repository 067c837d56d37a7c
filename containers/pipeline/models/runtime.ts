import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pipelineSettings } from '../settings.ts';
import './no-telemetry.ts';
import type { InferenceSession, Tensor, TensorConstructor } from 'onnxruntime-node';

export type Backend = 'node' | 'web';

/**
 * The part of ONNX Runtime that is used here. The native and the WebAssembly build have the same interface. Each
 * session uses one thread.
 */
export interface Runtime {
  readonly backend: Backend;
  readonly Tensor: TensorConstructor;
  /**
   * @param model the bytes of an ONNX graph, or its path. `extra`: ONNX Runtime's own session settings (native build
   *   only).
   */
  createSession(model: Uint8Array | string, extra?: Record<string, unknown>): Promise<InferenceSession>;
}

export type { InferenceSession, Tensor };

/** Runs one task at a time, in the order of the calls, because a session allows only one at a time. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  do<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** ONNX Runtime's severity "error". Its warnings concern only leftovers in the graphs. */
const LOG_ERRORS_ONLY = 3;

async function nodeRuntime(): Promise<Runtime> {
  const ort = (await import('onnxruntime-node')).default;
  return {
    backend: 'node',
    Tensor: ort.Tensor,
    createSession: (model, extra) => {
      const options: InferenceSession.SessionOptions = {
        executionProviders: ['cpu'],
        graphOptimizationLevel: 'all',
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        executionMode: 'sequential',
        logSeverityLevel: LOG_ERRORS_ONLY,
        ...(extra ? { extra } : {}),
      };
      return typeof model === 'string'
        ? ort.InferenceSession.create(model, options)
        : ort.InferenceSession.create(model, options);
    },
  };
}

async function webRuntime(): Promise<Runtime> {
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  ort.env.logLevel = 'error';
  return {
    backend: 'web',
    Tensor: ort.Tensor,
    createSession: async (model) => {
      const bytes = typeof model === 'string' ? await readFile(model) : model;
      return ort.InferenceSession.create(bytes, {
        executionProviders: ['wasm'],
        graphOptimizationLevel: 'all',
        logSeverityLevel: LOG_ERRORS_ONLY,
      });
    },
  };
}

/**
 * The runtime that `ONNX_RUNTIME` selects (`node` or `web`). The default is the native one, or the portable WebAssembly
 * one if the native binary cannot be loaded.
 */
export async function loadRuntime(backend: Backend | undefined = pipelineSettings().onnxRuntime): Promise<Runtime> {
  if (backend === 'web') return webRuntime();
  if (backend === 'node') return nodeRuntime();
  try {
    return await nodeRuntime();
  } catch (cause) {
    // The image has no WebAssembly build, so the native runtime's error is the useful one.
    return webRuntime().catch(() => {
      throw cause;
    });
  }
}

const require = createRequire(import.meta.url);

/** The path of a model file inside an installed package. */
export function packagedModel(entry: string, ...path: string[]): string {
  const root = require.resolve(entry);
  const folder = root.slice(0, root.lastIndexOf('node_modules'));
  return [folder.replace(/[/\\]$/, ''), 'node_modules', ...path].join('/');
}
