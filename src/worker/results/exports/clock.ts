const two = (n: number): string => String(n).padStart(2, '0');

/** Seconds as m:ss, or as h:mm:ss from one hour on. */
export function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const minutes = Math.floor(whole / 60) % 60;
  const hours = Math.floor(whole / 3600);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

/** Milliseconds in caption form: hh:mm:ss, the separator, three digits. */
export const captionTime = (ms: number, separator: '.' | ','): string =>
  `${two(Math.floor(ms / 3_600_000))}:${two(Math.floor(ms / 60_000) % 60)}:${two(Math.floor(ms / 1000) % 60)}${separator}${String(ms % 1000).padStart(3, '0')}`;
