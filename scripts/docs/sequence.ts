import { escaped } from './page.ts';

const COLUMN = 260;
const ROW = 44;
const TOP = 56;
const MARGIN = 110;

interface Step {
  from: string;
  to: string;
  text: string;
  isAnswer: boolean;
}

/**
 * Draws a message sequence from lines `Client -> Service: text` (a request), `Service --> Client: text` (a response or
 * an event) and `== text` (a stage). The page's Markdown version keeps the text itself.
 */
export function sequenceSvg(source: string): string {
  const lines = source.split('\n').filter((line) => line.trim() !== '');
  const steps = lines.map((line): Step | string => {
    const [, from, arrow, to, text] = /^(\w+) (-->|->) (\w+): (.+)$/.exec(line) ?? [];
    if (from && to && text) return { from, to, text, isAnswer: arrow === '-->' };
    if (line.startsWith('== ')) return line.slice(3);
    throw new Error(`not a step of a message sequence: ${line}`);
  });
  const actors = [...new Set(steps.flatMap((step) => (typeof step === 'string' ? [] : [step.from, step.to])))];
  const x = (actor: string): number => MARGIN + actors.indexOf(actor) * COLUMN;
  const width = MARGIN * 2 + (actors.length - 1) * COLUMN;
  const height = TOP + steps.length * ROW + 20;
  const heads = actors.map(
    (actor) =>
      `<rect class="actor" x="${x(actor) - 60}" y="6" width="120" height="30" rx="6"/><text class="name" x="${x(actor)}" y="26">${escaped(actor)}</text><line class="life" x1="${x(actor)}" y1="36" x2="${x(actor)}" y2="${height - 8}"/>`,
  );
  const drawn = steps.map((step, i) => {
    const y = TOP + i * ROW + 24;
    if (typeof step === 'string')
      return `<line class="stage" x1="10" y1="${y - 5}" x2="${width - 10}" y2="${y - 5}"/><text class="stage" x="${width / 2}" y="${y}">${escaped(step)}</text>`;
    const [a, b] = [x(step.from), x(step.to)];
    const tip = b > a ? -8 : 8;
    const arrow = `<path class="tip" d="M${b} ${y}l${tip} -5v10z"/>`;
    return `<line class="${step.isAnswer ? 'answer' : 'request'}" x1="${a}" y1="${y}" x2="${b}" y2="${y}"/>${arrow}<text class="step" x="${(a + b) / 2}" y="${y - 8}">${escaped(step.text)}</text>`;
  });
  const spoken = steps
    .map((step) => (typeof step === 'string' ? step : `${step.from} to ${step.to}: ${step.text}`))
    .join('. ');
  return `<div class="sequence" tabindex="0" role="region" aria-label="Message sequence"><svg role="img" aria-label="${escaped(spoken)}" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">${heads.join('')}${drawn.join('')}</svg></div>\n`;
}
