/** The names in a part's Content-Disposition. A text field has no `filename`. */
export interface Disposition {
  name: string;
  filename: string | undefined;
}

/**
 * Reads `form-data; name="…"; filename="…"` (RFC 7578; also `filename*` of RFC 5987) with any Unicode characters.
 * Browsers send characters above U+00FF unencoded, which makes the parser's own reader drop both names.
 */
export function readDisposition(header: string): Disposition {
  return {
    name: parameter(header, 'name') ?? '',
    filename: extendedFilename(header) ?? parameter(header, 'filename'),
  };
}

function parameter(header: string, name: string): string | undefined {
  const quoted = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(header)?.[1];
  if (quoted === undefined) return new RegExp(`;\\s*${name}=([^\\s;"]+)`, 'i').exec(header)?.[1];
  // Browsers percent-encode quotes and line breaks (WHATWG form-data), whereas curl escapes with a backslash.
  return quoted
    .replace(/\\(["\\])/g, '$1')
    .replace(/%22/g, '"')
    .replace(/%0[DA]/gi, ' ');
}

function extendedFilename(header: string): string | undefined {
  const encoded = /;\s*filename\*=utf-8''([^;\s]+)/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
}
