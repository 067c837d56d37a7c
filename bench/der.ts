/** One segment of a speaker in a reference or a hypothesis, in seconds. */
export interface LabelledSegment {
  start: number;
  end: number;
  speaker: string;
}

/** Speaker time in seconds: the reference's total and the three errors. */
export interface DiarizationErrors {
  total: number;
  miss: number;
  falseAlarm: number;
  confusion: number;
}

export const NO_ERRORS: DiarizationErrors = { total: 0, miss: 0, falseAlarm: 0, confusion: 0 };

export function addErrors(a: DiarizationErrors, b: DiarizationErrors): DiarizationErrors {
  return {
    total: a.total + b.total,
    miss: a.miss + b.miss,
    falseAlarm: a.falseAlarm + b.falseAlarm,
    confusion: a.confusion + b.confusion,
  };
}

const FRAME_S = 0.01;

/**
 * Diarization error as the NIST Rich Transcription evaluations score it (md-eval). Overlap counts for each speaker,
 * speakers are mapped one to one so that the matching time is maximal, and nothing is scored within `collar` seconds of
 * a border of the reference. Frames of 10 ms.
 * @param duration seconds scored
 */
export function diarizationErrors(
  reference: LabelledSegment[],
  hypothesis: LabelledSegment[],
  duration: number,
  collar: number,
): DiarizationErrors {
  const frames = Math.floor(duration / FRAME_S + 1e-6);
  const ref = activity(reference, frames);
  const hyp = activity(hypothesis, frames);
  const scored = scoredFrames([...ref.values()], frames, Math.round(collar / FRAME_S));
  const agreement = [...ref.values()].map((r) =>
    [...hyp.values()].map((h) => {
      let n = 0;
      for (let t = 0; t < frames; t++) n += scored[t]! & r[t]! & h[t]!;
      return n;
    }),
  );
  const pairs = bestAssignment(agreement);
  const refRows = [...ref.values()];
  const hypRows = [...hyp.values()];
  let total = 0;
  let miss = 0;
  let falseAlarm = 0;
  let confusion = 0;
  for (let t = 0; t < frames; t++) {
    if (!scored[t]) continue;
    let nr = 0;
    let nh = 0;
    let right = 0;
    for (const row of refRows) nr += row[t]!;
    for (const row of hypRows) nh += row[t]!;
    for (const [r, h] of pairs) right += refRows[r]![t]! & hypRows[h]![t]!;
    total += nr;
    miss += Math.max(0, nr - nh);
    falseAlarm += Math.max(0, nh - nr);
    confusion += Math.min(nr, nh) - right;
  }
  return {
    total: total * FRAME_S,
    miss: miss * FRAME_S,
    falseAlarm: falseAlarm * FRAME_S,
    confusion: confusion * FRAME_S,
  };
}

function activity(stretches: LabelledSegment[], frames: number): Map<string, Uint8Array> {
  const out = new Map<string, Uint8Array>();
  for (const { start, end, speaker } of stretches) {
    if (!out.has(speaker)) out.set(speaker, new Uint8Array(frames));
    out.get(speaker)!.fill(1, Math.round(start / FRAME_S), Math.round(end / FRAME_S));
  }
  return out;
}

function scoredFrames(rows: Uint8Array[], frames: number, collar: number): Uint8Array {
  const scored = new Uint8Array(frames).fill(1);
  if (collar === 0) return scored;
  for (const row of rows) {
    for (let t = 0; t <= frames; t++) {
      if ((row[t] ?? 0) !== (row[t - 1] ?? 0)) scored.fill(0, Math.max(0, t - collar), Math.min(frames, t + collar));
    }
  }
  return scored;
}

/**
 * Pairs of row and column with the largest sum, each used at most once. Exact, by dynamic programming over subsets of
 * the smaller side (at most about ten speakers).
 */
export function bestAssignment(gain: number[][]): [number, number][] {
  const rows = gain.length;
  const columns = gain[0]?.length ?? 0;
  if (rows === 0 || columns === 0) return [];
  if (columns > rows) {
    const turned = Array.from({ length: columns }, (_, c) => gain.map((row) => row[c]!));
    return bestAssignment(turned).map(([c, r]) => [r, c]);
  }
  let best = new Map<number, { sum: number; pairs: [number, number][] }>([[0, { sum: 0, pairs: [] }]]);
  for (let r = 0; r < rows; r++) {
    const next = new Map(best);
    for (const [used, { sum, pairs }] of best) {
      for (let c = 0; c < columns; c++) {
        if (used & (1 << c)) continue;
        const value = sum + gain[r]![c]!;
        const key = used | (1 << c);
        const old = next.get(key);
        if (!old || value > old.sum) next.set(key, { sum: value, pairs: [...pairs, [r, c]] });
      }
    }
    best = next;
  }
  return [...best.values()].reduce((a, b) => (b.sum > a.sum ? b : a)).pairs;
}

/** Reads the SPEAKER lines of an RTTM file (NIST 2009). */
export function parseRttm(text: string): LabelledSegment[] {
  return text.split('\n').flatMap((line) => {
    const field = line.trim().split(/\s+/);
    if (field[0] !== 'SPEAKER') return [];
    const start = Number(field[3]);
    return [{ start, end: start + Number(field[4]), speaker: field[7]! }];
  });
}
