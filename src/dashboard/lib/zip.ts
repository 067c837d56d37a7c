/** A file of an archive. */
export interface ZipFile {
  name: string;
  content: Blob;
}

/** Versions and flags of the format (APPNOTE.TXT 6.3.10, 4.3 and 4.4). Names are UTF-8. */
const VERSION = 20;
const UTF_8 = 0x0800;
const DEFLATED = 8;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let value = 0xffffffff;
  for (const byte of bytes) value = (value >>> 8) ^ CRC_TABLE[(value ^ byte) & 0xff]!;
  return (value ^ 0xffffffff) >>> 0;
}

const deflated = async (content: Blob): Promise<ArrayBuffer> =>
  new Response(content.stream().pipeThrough(new CompressionStream('deflate-raw'))).arrayBuffer();

/** A record of the archive: its numbers with their widths in bytes, and then its text. */
function recordOf(
  fields: readonly (readonly [value: number, bytes: 2 | 4])[],
  text = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const length = fields.reduce((sum, [, bytes]) => sum + bytes, 0);
  const record = new Uint8Array(length + text.length);
  const view = new DataView(record.buffer);
  let at = 0;
  for (const [value, bytes] of fields) {
    if (bytes === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += bytes;
  }
  record.set(text, length);
  return record;
}

/** The time and the date of a file as MS-DOS stores them. */
const stampOf = (at: Date): [time: number, date: number] => [
  (at.getHours() << 11) | (at.getMinutes() << 5) | (at.getSeconds() >> 1),
  ((at.getFullYear() - 1980) << 9) | ((at.getMonth() + 1) << 5) | at.getDate(),
];

/** Two files never have one name: the second gets a number. */
function uniqueNames(files: readonly ZipFile[]): string[] {
  const used = new Set<string>();
  return files.map(({ name }) => {
    const dot = name.lastIndexOf('.');
    const [stem, extension] = dot < 1 ? [name, ''] : [name.slice(0, dot), name.slice(dot)];
    let unique = name;
    for (let n = 2; used.has(unique.toLowerCase()); n++) unique = `${stem} (${n})${extension}`;
    used.add(unique.toLowerCase());
    return unique;
  });
}

/** A ZIP archive of files, compressed. All of them together are smaller than 4 GiB. */
export async function zipOf(files: readonly ZipFile[], now = new Date()): Promise<Blob> {
  const names = uniqueNames(files);
  const [time, date] = stampOf(now);
  const parts: (Uint8Array<ArrayBuffer> | ArrayBuffer)[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let at = 0;
  for (const [i, { content }] of files.entries()) {
    const name = new TextEncoder().encode(names[i]);
    const data = await deflated(content);
    const crc = crc32(new Uint8Array(await content.arrayBuffer()));
    const shared = [
      [VERSION, 2],
      [UTF_8, 2],
      [DEFLATED, 2],
      [time, 2],
      [date, 2],
      [crc, 4],
      [data.byteLength, 4],
      [content.size, 4],
      [name.length, 2],
      [0, 2],
    ] as const;
    const local = recordOf([[0x04034b50, 4], ...shared], name);
    directory.push(recordOf([[0x02014b50, 4], [VERSION, 2], ...shared, [0, 2], [0, 2], [0, 2], [0, 4], [at, 4]], name));
    parts.push(local, data);
    at += local.length + data.byteLength;
  }
  const bytes = directory.reduce((sum, { length }) => sum + length, 0);
  const end = recordOf([
    [0x06054b50, 4],
    [0, 2],
    [0, 2],
    [files.length, 2],
    [files.length, 2],
    [bytes, 4],
    [at, 4],
    [0, 2],
  ]);
  return new Blob([...parts, ...directory, end], { type: 'application/zip' });
}
