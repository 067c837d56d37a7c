import { letter } from '../../lib/speaker-names.ts';
import type { Palette } from './picture.ts';

/** A straight line. */
export function rule(ctx: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.lineTo(x1, y1);
  ctx.stroke();
}

/** The letter of a speaker, from its lower left corner. */
export function writeLetter(ctx: CanvasRenderingContext2D, p: Palette, speaker: number, x: number, y: number): void {
  ctx.globalAlpha = 1;
  ctx.font = `700 9px ${p.font}`;
  ctx.fillStyle = p.ink!;
  ctx.fillText(letter(speaker), x, y);
}
