import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { PRICE_SOURCES } from '../scripts/deploy/configurations.ts';
import { DeployedService } from '../scripts/deploy/deployed-service.ts';
import { calibrate, HOUR, SHORT } from './calibration/calibrate.ts';
import { CARRIED_MS, type Calibration } from './calibration/calibration.ts';
import { DeployedCalibration } from './calibration/deployed.ts';
import { report, say, type Table } from './report.ts';

// Speed, starts, round trips and cost of a deployed service, under a tenant made for it and removed afterwards. It needs
// about an hour and ffmpeg, and writes a file for `npm run bench -- simulate --calibration`. `--short` only shows
// whether it works. With containers, deploy with one instance, so that all sessions run on it.

const USAGE = `npm run bench -- calibrate --url <address> [--out <file>] [--short] [--json]

ADMIN_TOKEN is the operator's secret. --out is by default build/calibration.json.`;

function tablesOf(found: Calibration): Table[] {
  const { round_trip_ms: trips, speed, live, start_s: starts, containers, audio_hour_dollars: costs } = found;
  return [
    {
      title: `${found.url}, ${found.version}, ${found.recogniser}, ${found.at}`,
      columns: ['round trip from here', 'p50 ms', 'p95 ms'],
      rows: [
        ['to the Worker', trips.worker.p50, trips.worker.p95],
        ["through the Worker to a tenant's object", trips.object.p50, trips.object.p95],
      ],
    },
    {
      title: 'One file at a time',
      columns: ['quality', 'audio s per s'],
      rows: [
        ['best', speed.best],
        ['fast', speed.fast],
      ],
    },
    {
      title: 'Live sessions',
      columns: ['at once', 'pipelines', 'final texts', 'p50 ms', 'p95 ms'],
      rows: live.map((step) => [step.sessions, step.instances, step.finals, step.p50_ms, step.p95_ms]),
      note: `From the end of speech to the final text. A pipeline carries sessions up to a p95 of ${CARRIED_MS} ms.`,
    },
    {
      title: 'Starts of a container, from sleep to its first report',
      columns: ['start', 's'],
      rows: starts.length > 0 ? starts.map((seconds, i) => [i + 1, seconds]) : [['none was seen', null]],
    },
    {
      title: 'Cost at list prices, US dollars',
      columns: ['what', 'as a file', 'live'],
      rows: [
        ...Object.entries(costs).map(([name, { batch, live: ofLive }]) => [`an hour of audio, ${name}`, batch, ofLive]),
        [`this measurement: ${containers.hours} hours of containers`, containers.dollars, null],
      ],
      note: `On containers that are kept busy. ${PRICE_SOURCES.join(' ')}`,
    },
  ];
}

async function main(): Promise<number> {
  let values: { url?: string; out: string; short?: boolean; json?: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        url: { type: 'string' },
        out: { type: 'string', default: 'build/calibration.json' },
        short: { type: 'boolean' },
        json: { type: 'boolean' },
      },
    }));
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : error}\n\n${USAGE}`);
    return 2;
  }
  const adminToken = process.env.ADMIN_TOKEN;
  if (!values.url || !URL.canParse(values.url) || !adminToken) {
    console.error(`${adminToken ? '' : 'ADMIN_TOKEN is not set.\n\n'}${USAGE}`);
    return 2;
  }
  const { url } = values;
  const service = new DeployedService(url, adminToken, fetch, 'Calibration');
  try {
    const key = await service.trialKey(await service.trialTenant(), Date.now());
    const calibrated = new DeployedCalibration(url, key, service);
    try {
      const found = await calibrate(calibrated, values.short ? SHORT : HOUR, Date.now, say);
      mkdirSync(dirname(values.out), { recursive: true });
      writeFileSync(values.out, `${JSON.stringify(found, null, 2)}\n`);
      report('calibrate', tablesOf(found));
      say(`${values.out} is written`);
    } finally {
      await calibrated.stop();
    }
  } finally {
    await service.removeTrials();
  }
  return 0;
}

process.exitCode = await main();
