/** One prediction: the probability of the predicted class, and whether it was right. */
export interface Prediction {
  probability: number;
  right: boolean;
}

export interface Bin {
  low: number;
  high: number;
  n: number;
  /** Mean predicted probability, and the fraction that was right. */
  said: number;
  right: number;
}

/** Ten equal bins of probability. Empty ones are left out. */
export function reliabilityBins(predictions: Prediction[]): Bin[] {
  return Array.from({ length: 10 }, (_, i) => {
    const inside = predictions.filter(({ probability }) => Math.min(9, Math.floor(probability * 10)) === i);
    const n = inside.length;
    return {
      low: i / 10,
      high: (i + 1) / 10,
      n,
      said: inside.reduce((sum, p) => sum + p.probability, 0) / Math.max(1, n),
      right: inside.filter((p) => p.right).length / Math.max(1, n),
    };
  }).filter(({ n }) => n > 0);
}

/** Expected calibration error over the bins. */
export function calibrationError(bins: Bin[]): number {
  const n = bins.reduce((sum, bin) => sum + bin.n, 0);
  return bins.reduce((sum, bin) => sum + (bin.n / n) * Math.abs(bin.said - bin.right), 0);
}

const SIZE = 320;
const MARGIN = 44;
const COLORS = ['#1f6f8b', '#c8553d', '#5b8c5a', '#7d5ba6'];

/**
 * A reliability diagram: the predicted fraction against the observed one. The size of a dot shows the number in its
 * bin.
 */
export function reliabilitySvg(title: string, series: { name: string; bins: Bin[] }[]): string {
  const x = (p: number) => (MARGIN + p * SIZE).toFixed(1);
  const y = (p: number) => (MARGIN + (1 - p) * SIZE).toFixed(1);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const lines = series.map(({ name, bins }, i) => {
    const color = COLORS[i % COLORS.length];
    const total = bins.reduce((sum, bin) => sum + bin.n, 0);
    const points = bins.map((bin) => `${x(bin.said)},${y(bin.right)}`).join(' ');
    const dots = bins.map(
      (bin) =>
        `<circle cx="${x(bin.said)}" cy="${y(bin.right)}" r="${(2 + 10 * Math.sqrt(bin.n / total)).toFixed(1)}" fill="${color}" fill-opacity=".55"/>`,
    );
    const label = `<text x="${MARGIN + 8}" y="${MARGIN + 18 + 18 * i}" fill="${color}">${name} (n ${total}, ECE ${calibrationError(bins).toFixed(3)})</text>`;
    return `<polyline points="${points}" fill="none" stroke="${color}" stroke-width="1.5"/>${dots.join('')}${label}`;
  });
  const axes = ticks.map(
    (t) =>
      `<text x="${x(t)}" y="${MARGIN + SIZE + 16}" text-anchor="middle">${t}</text><text x="${MARGIN - 8}" y="${y(t)}" text-anchor="end" dominant-baseline="middle">${t}</text>`,
  );
  const whole = SIZE + 2 * MARGIN;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}" font-family="sans-serif" font-size="11">
<rect width="${whole}" height="${whole}" fill="#fff"/>
<text x="${whole / 2}" y="20" text-anchor="middle" font-size="13">${title}</text>
<rect x="${MARGIN}" y="${MARGIN}" width="${SIZE}" height="${SIZE}" fill="none" stroke="#999"/>
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 3"/>
${axes.join('')}
${lines.join('\n')}
<text x="${whole / 2}" y="${whole - 8}" text-anchor="middle">probability given to the named class</text>
<text transform="translate(12 ${whole / 2}) rotate(-90)" text-anchor="middle">share that was right</text>
</svg>
`;
}
