import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { CalibrationSchema } from './calibration/calibration.ts';
import { report, say } from './report.ts';
import { inputRows, useCalibration } from './simulation/inputs.ts';
import { type FleetChange, SCENARIOS, type SimulatedFigure } from './simulation/scenarios.ts';

// A fleet of pipelines in simulated time, under the plan that the pool runs (src/worker/pool/plan.ts): 10,000 live
// sessions at the peak of a day, and the faults and loads that a fleet must bear. Nothing of it is a measurement.
// `--calibration <file>` takes what `npm run bench -- calibrate` measured in place of the guesses.

const { values } = parseArgs({
  strict: false,
  options: { only: { type: 'string', default: Object.keys(SCENARIOS).join() }, calibration: { type: 'string' } },
});
if (values.calibration !== undefined)
  useCalibration(CalibrationSchema.parse(JSON.parse(readFileSync(String(values.calibration), 'utf8'))));
const NAMES = String(values.only).split(',');

const AS_MEASURED: FleetChange = { startFactor: 1, speedFactor: 1, beatLoss: 0 };
const CHANGES: Record<string, FleetChange> = {
  'as given': AS_MEASURED,
  'start time x 2': { ...AS_MEASURED, startFactor: 2 },
  'speed x .5': { ...AS_MEASURED, speedFactor: 0.5 },
  '5 % of beats lost': { ...AS_MEASURED, beatLoss: 0.05 },
};

const isMet = ({
  value,
  most = Number.POSITIVE_INFINITY,
  least = Number.NEGATIVE_INFINITY,
}: SimulatedFigure): boolean => value <= most && value >= least;
const rounded = (value: number): string => String(Number(value.toPrecision(value >= 100 ? 6 : 3)));
const limitOf = ({ most, least }: SimulatedFigure): string =>
  most !== undefined ? `at most ${most}` : least === undefined ? '' : `at least ${least}`;

const rows = Object.entries(SCENARIOS)
  .filter(([name]) => NAMES.includes(name))
  .flatMap(([scenario, run]) => {
    const runs = Object.entries(CHANGES).map(([name, change]) => {
      say(`simulating ${scenario}, ${name}`);
      return run(change);
    });
    return runs[0]!.map((figure, i) => [
      `simulated ${figure.name}${figure.unit && `, ${figure.unit}`}`,
      limitOf(figure),
      ...runs.map((figures) => `${rounded(figures[i]!.value)}${isMet(figures[i]!) ? '' : ' NO'}`),
    ]);
  });

report('simulate', [
  { title: 'Inputs of the simulation', columns: ['input', 'value', 'origin'], rows: inputRows() },
  {
    title: 'Simulated figures',
    columns: ['figure', 'limit', ...Object.keys(CHANGES)],
    rows,
    note: `All simulated, none measured. "NO": the limit is not met. Processor time of the simulation: ${(process.cpuUsage().user / 1e6).toFixed(0)} s.`,
  },
]);
