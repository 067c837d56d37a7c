import '../style/lines.css';
import { speakerClass } from './speaker-marks.tsx';

/** The dashes of a speaker's lines, beside the name. Only forced colours need them. */
export const LineSample = ({ speaker }: { speaker: number }) => (
  <svg class={`sample1 ${speakerClass(speaker)}`} width="20" height="8" aria-hidden="true">
    <path class="line2" d="M0 4H20" stroke="var(--sp)" stroke-width="4" />
  </svg>
);
