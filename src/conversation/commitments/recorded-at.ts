import type { LocalTime } from '../language.ts';

/** When and where a conversation was recorded, as far as its dates depend on it. */
export interface RecordedAt {
  /** The clock on the wall when the recording began. */
  local: LocalTime;
  /** IANA. */
  timeZone: string;
  isZoneGiven: boolean;
}

/** The time zone of a recording for which none was given. */
const ASSUMED_ZONE = 'UTC';

/**
 * The options of an analysis that dates depend on, as an analysis has them or as a stored result repeats them.
 * @returns undefined for a result of an earlier version
 */
export function recordedAt(options: {
  recorded_at?: string | null | undefined;
  time_zone?: string | null | undefined;
}): RecordedAt | undefined {
  if (!options.recorded_at) return undefined;
  const timeZone = options.time_zone ?? ASSUMED_ZONE;
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(new Date(options.recorded_at));
  const part = (type: Intl.DateTimeFormatPartTypes): string => parts.find((p) => p.type === type)?.value ?? '';
  return {
    local: { date: `${part('year')}-${part('month')}-${part('day')}`, time: `${part('hour')}:${part('minute')}` },
    timeZone,
    isZoneGiven: Boolean(options.time_zone),
  };
}
