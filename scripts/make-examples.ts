import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type AnalysisResponse, AnalysisResponseSchema } from '../src/contract/analysis.ts';

// Writes docs/examples: readable analyses of recordings, made by a running service. Usage: node
// scripts/make-examples.ts [--url http://localhost:8787] --key KEY recording ...

const OUT = join(import.meta.dirname, '../docs/examples');

function option(name: string, fallback: string): string {
  const at = process.argv.indexOf(name);
  if (at < 0) return fallback;
  const [, value] = process.argv.splice(at, 2);
  return value ?? fallback;
}

const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
const bullets = (title: string, lines: readonly string[] | null): string[] =>
  lines && lines.length > 0 ? ['', `**${title}**`, '', ...lines.map((line) => `- ${line}`)] : [];

function render(name: string, analysis: AnalysisResponse): string {
  const { summary, segmentation, moments, transitions, timeline, speakers, media, insights } = analysis;
  const metrics = Object.entries(insights.metrics.speakers);
  return [
    `# ${name}`,
    '',
    `${media.duration_s} s, ${media.channels} channel${media.channels > 1 ? 's' : ''}; ${speakers.count} speakers (${speakers.source}, confidence ${speakers.confidence.toFixed(2)})${speakers.note ? `: ${speakers.note}` : ''}`,
    '',
    '## Summary',
    '',
    summary.overview,
    ...bullets('Key insights', summary.key_insights),
    ...bullets('Patterns', summary.notable_patterns),
    ...bullets('Went well', summary.what_went_well),
    ...bullets('Went wrong', summary.what_went_wrong),
    ...bullets('Recommendations', summary.recommendations),
    ...bullets(`Quality: ${summary.conversation_quality}`, summary.quality_reasons),
    '',
    '## Phases',
    '',
    segmentation.narrative_arc,
    '',
    '| from | to | phase | theme | tone |',
    '| --- | --- | --- | --- | --- |',
    ...segmentation.phases.map(
      (phase) =>
        `| ${clock(phase.start_timestamp)} | ${clock(phase.end_timestamp)} | ${phase.phase_name} | ${phase.theme} | ${phase.emotional_tone} |`,
    ),
    '',
    '## Moments and transitions',
    '',
    ...moments.map(
      ({ start_ms, category, labels, summary: said, confidence }) =>
        `- ${clock(start_ms / 1000)} ${[category, ...labels].join(', ')}: ${said} (${confidence.toFixed(2)})`,
    ),
    ...transitions.map(
      ({ at_ms, speaker_id, from_state, to_state, stability, confidence }) =>
        `- ${clock(at_ms / 1000)} ${speaker_id ?? 'the conversation'}: ${from_state} to ${to_state} (${stability}, ${confidence.toFixed(2)})`,
    ),
    ...(moments.length + transitions.length === 0 ? ['None.'] : []),
    '',
    '## Who talked how',
    '',
    '| speaker | talk ratio | words a minute | questions | longest monologue | interruptions |',
    '| --- | --- | --- | --- | --- | --- |',
    ...metrics.map(
      ([speaker, m]) =>
        `| ${speaker} | ${m.talk_ratio?.toFixed(2) ?? 'unknown'} | ${m.words_per_minute.toFixed(0)} | ${m.questions} | ${m.longest_monologue_s === null ? 'unknown' : `${m.longest_monologue_s.toFixed(1)} s`} | ${m.interruptions} |`,
    ),
    '',
    '## Timeline',
    '',
    ...timeline.map(
      (entry) =>
        `- ${clock(entry.t_start)} **${entry.speaker}** ${entry.text}  \n  _${entry.dominant_emotion}, polarity ${entry.polarity?.toFixed(2)}, engagement ${entry.engagement?.toFixed(2)}, load ${entry.load_level}, words ${entry.asr_confidence.toFixed(2)} sure. ${entry.prosody_desc}_`,
    ),
    '',
  ].join('\n');
}

const url = option('--url', 'http://localhost:8787');
const key = option('--key', process.env.UNDERTONE_API_KEY ?? '');
await mkdir(OUT, { recursive: true });
for (const path of process.argv.slice(2)) {
  const form = new FormData();
  form.set('file', new File([await readFile(path)], basename(path)));
  const answer = await fetch(new URL('/analyze', url), { method: 'POST', headers: { 'X-API-Key': key }, body: form });
  const body: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${basename(path)}: ${answer.status} ${JSON.stringify(body)}`);
  const name = basename(path, extname(path));
  await writeFile(join(OUT, `${name}.md`), render(name, AnalysisResponseSchema.parse(body)));
  console.log(`docs/examples/${name}.md`);
}
