/**
 * A row of a settings table: the name of an environment variable, its parser, its default and its documentation. The
 * Worker has one such table, and the pipeline another.
 */
export interface Setting<T, N extends string = string> {
  /** The name of the environment variable. */
  readonly name: N;
  /** @throws Unfit for an invalid value */
  readonly read: (text: string) => T;
  /** The value used if the variable is not set, or '' for none. */
  readonly fallback: string;
  /** A description of the variable, in Markdown. */
  readonly description: string;
  /** The default as the documentation shows it, if `fallback` would not be clear. */
  readonly defaultDescription?: string;
  /** Whether the value must not be written to a file. */
  readonly isSecret?: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table's variables. */
export type SettingsOf<T extends SettingsTable> = { readonly [K in keyof T]: ReturnType<T[K]['read']> };
/** The names of a table's variables. */
export type VariablesOf<T extends SettingsTable> = T[keyof T]['name'];

/** An invalid value. The message begins with the variable's name and does not repeat the value. */
export class SettingError extends Error {
  constructor(name: string, must: string) {
    super(`${name} must ${must}`);
    this.name = 'SettingError';
  }
}

/**
 * Thrown by a parser. The message completes the sentence "<name> must ...", for example with "be a positive number".
 */
export class Unfit extends Error {}

/** One row of a table. */
export const setting = <T, N extends string>(
  name: N,
  read: (text: string) => T,
  fallback: string,
  description: string,
  more: Pick<Setting<T>, 'defaultDescription' | 'isSecret'> = {},
): Setting<T, N> => ({ name, read, fallback, description, ...more });

/**
 * The value of one setting. A blank value counts as absent.
 * @param env the environment, or the bindings of a Worker, which can also contain numbers and lists
 * @throws SettingError
 */
export function readSetting<T>({ name, read, fallback }: Setting<T>, env: object): T {
  const value: unknown = Reflect.get(env, name);
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).trim();
  try {
    return read(text === '' ? fallback : text);
  } catch (error) {
    if (error instanceof Unfit) throw new SettingError(name, error.message);
    throw error;
  }
}

/** @throws SettingError for the first invalid variable */
export function readSettings<T extends SettingsTable>(table: T, env: object): SettingsOf<T> {
  const entries = Object.entries(table).map(([key, entry]) => [key, readSetting(entry, env)]);
  return Object.fromEntries(entries) as SettingsOf<T>;
}

export const text = (value: string): string => value;

/** A comma-separated list, which may be empty. */
export const list =
  <T>(read: (text: string) => T) =>
  (value: string): T[] =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(read);

/** A setting that may be absent. */
export const optional =
  <T>(read: (text: string) => T) =>
  (value: string): T | undefined =>
    value === '' ? undefined : read(value);

/**
 * @param unit factor from the setting's unit to that of the value
 * @param most limit, in the setting's unit
 */
export const positive =
  (unit = 1, most = Number.POSITIVE_INFINITY) =>
  (value: string): number => {
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
    if (!(number > 0 && Number.isFinite(number * unit))) throw new Unfit('be a positive number');
    if (number > most) throw new Unfit(`be at most ${most}`);
    return number * unit;
  };

/** A string that must be hard to guess. */
export const secret =
  (leastChars: number) =>
  (value: string): string => {
    if (value.length < leastChars) throw new Unfit(`have at least ${leastChars} characters`);
    return value;
  };

/** Words separated by commas or white space. */
export const words = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '');

export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`;
    throw new Unfit(`be a whole number ${bounds}`);
  };

export const onOff = (value: string): boolean => {
  const lower = value.toLowerCase();
  if (!['true', '1', 'false', '0'].includes(lower)) throw new Unfit('be true, 1, false or 0');
  return lower === 'true' || lower === '1';
};

/** Unix time, ms. */
export const time = (value: string): number => {
  const at = Date.parse(value);
  if (Number.isNaN(at)) throw new Unfit('be an ISO 8601 time');
  return at;
};

export const address = (value: string): string => {
  if (!/^https?:\/\/[^\s/]\S*$/.test(value)) throw new Unfit('be an address that starts with http:// or https://');
  return value;
};

export const sha256 = (value: string): string => {
  if (!/^[0-9a-f]{64}$/i.test(value)) throw new Unfit('be 64 hexadecimal digits');
  return value.toLowerCase();
};

export const oneOf =
  <const T extends string>(...known: T[]) =>
  (value: string): T => {
    const found = known.find((each) => each === value);
    if (found === undefined) throw new Unfit(`be ${known.join(' or ')}`);
    return found;
  };
