import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

const SHOWN = 10;

/** Prints the slowest test files at the end of a run. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const files = modules
      .map((module) => {
        const { duration, setupDuration, collectDuration } = module.diagnostic();
        return { path: relative(process.cwd(), module.moduleId), ms: duration + setupDuration + collectDuration };
      })
      .sort((a, b) => b.ms - a.ms)
      .slice(0, SHOWN);
    if (files.length < 2) return;
    console.log('\nSlowest files');
    for (const { path, ms } of files) console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${path}`);
  }
}
