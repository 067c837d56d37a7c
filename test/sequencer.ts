import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The projects in the order of their starts: waiting files first, small files of pure code last, to fill the end. */
const ORDER = ['browser', 'service', 'worker', 'models', 'unit'];

/**
 * Starts files project by project and, like vitest, the longest first, by the durations of the last run or by size. A
 * run then ends with files that take milliseconds, and no long file runs alone at its end.
 */
export default class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
