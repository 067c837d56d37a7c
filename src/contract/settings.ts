/**
 * The form of every table of settings: what a variable of a deployment is called, how its text is read, what stands when
 * nobody gives it, and what the documentation says of it. The Worker has one table, the pipeline another.
 */
export interface Setting<T, N extends string = string> {
  /** As it stands in the environment. */
  readonly name: N;
  /** @throws Unfit for a text it cannot be */
  readonly read: (text: string) => T;
  /** The text that counts when none is given; '' for none. */
  readonly fallback: string;
  /** What it limits or chooses, in Markdown. */
  readonly words: string;
  /** What the documentation names as its default where the text would not tell. */
  readonly defaultWords?: string;
  /** It must not stand in a file that is kept. */
  readonly isSecret?: boolean;
}

export type SettingsTable = Readonly<Record<string, Setting<unknown>>>;

/** What a table's variables come to. */
export type SettingsOf<T extends SettingsTable> = { readonly [K in keyof T]: ReturnType<T[K]['read']> };
/** The names of a table's variables. */
export type VariablesOf<T extends SettingsTable> = T[keyof T]['name'];

/** A value that does not fit; the message begins with its name and does not repeat it. */
export class SettingError extends Error {
  constructor(name: string, must: string) {
    super(`${name} must ${must}`);
    this.name = 'SettingError';
  }
}

/** Thrown by a reader: what the value must be (`be a positive number`). */
export class Unfit extends Error {}

/** One row of a table. */
export const setting = <T, N extends string>(
  name: N,
  read: (text: string) => T,
  fallback: string,
  words: string,
  more: Pick<Setting<T>, 'defaultWords' | 'isSecret'> = {},
): Setting<T, N> => ({ name, read, fallback, words, ...more });

/**
 * The value of one setting. Blank counts as absent.
 * @param env the environment, or the bindings of a Worker, in which numbers and lists may stand as themselves
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

/** @throws SettingError naming the first variable whose value does not fit */
export function readSettings<T extends SettingsTable>(table: T, env: object): SettingsOf<T> {
  const entries = Object.entries(table).map(([key, entry]) => [key, readSetting(entry, env)]);
  return Object.fromEntries(entries) as SettingsOf<T>;
}

export const text = (value: string): string => value;

/** One or more between commas, or none. */
export const list =
  <T>(read: (text: string) => T) =>
  (value: string): T[] =>
    value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
      .map(read);

/** Where nothing may be given. */
export const optional =
  <T>(read: (text: string) => T) =>
  (value: string): T | undefined =>
    value === '' ? undefined : read(value);

/**
 * @param unit what one of it is in the unit that is read
 * @param most the largest it may be, in its own unit
 */
export const positive =
  (unit = 1, most = Number.POSITIVE_INFINITY) =>
  (value: string): number => {
    const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0;
    if (!(number > 0 && Number.isFinite(number * unit))) throw new Unfit('be a positive number');
    if (number > most) throw new Unfit(`be at most ${most}`);
    return number * unit;
  };

/** A text nobody may guess. */
export const secret =
  (leastChars: number) =>
  (value: string): string => {
    if (value.length < leastChars) throw new Unfit(`have at least ${leastChars} characters`);
    return value;
  };

/** Between commas or white space. */
export const words = (value: string): string[] => value.split(/[\s,]+/).filter((word) => word !== '');

export const whole =
  (least: number, most = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    const bounds = most === Number.MAX_SAFE_INTEGER ? `${least} on` : `${least} to ${most}`;
    throw new Unfit(`be a whole number from ${bounds}`);
  };

export const onOff = (value: string): boolean => {
  const said = value.toLowerCase();
  if (!['true', '1', 'false', '0'].includes(said)) throw new Unfit('be true, 1, false or 0');
  return said === 'true' || said === '1';
};

/** Unix time, ms. */
export const time = (value: string): number => {
  const at = Date.parse(value);
  if (Number.isNaN(at)) throw new Unfit('be a time of ISO 8601');
  return at;
};

export const address = (value: string): string => {
  if (!/^https?:\/\/[^\s/]\S*$/.test(value)) throw new Unfit('be an address that begins with http:// or https://');
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
