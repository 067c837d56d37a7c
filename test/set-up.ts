import { requireFfmpeg } from '../scripts/start/machine.ts';

/** Before any test: what the pipeline needs of the machine is installed or asked for, as `npm start` does it. */
export default function setUp(): void {
  requireFfmpeg((line) => console.log(line));
}
