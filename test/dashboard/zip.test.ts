import { crc32, inflateRawSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { zipOf } from '../../src/dashboard/lib/zip.ts';

interface Entry {
  name: string;
  text: string;
}

/** Reads an archive by its directory (APPNOTE.TXT 4.3), and checks what is said twice. */
function entriesIn(zip: Buffer): Entry[] {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  let at = zip.readUInt32LE(end + 16);
  expect(at + zip.readUInt32LE(end + 12)).toBe(end);
  return Array.from({ length: zip.readUInt16LE(end + 10) }, () => {
    expect(zip.readUInt32LE(at)).toBe(0x02014b50);
    const [crc, packed, size] = [zip.readUInt32LE(at + 16), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 24)];
    const [nameLength, local] = [zip.readUInt16LE(at + 28), zip.readUInt32LE(at + 42)];
    const name = zip.subarray(at + 46, at + 46 + nameLength).toString('utf8');
    expect(zip.readUInt32LE(local)).toBe(0x04034b50);
    expect(zip.subarray(local + 14, local + 26)).toEqual(zip.subarray(at + 16, at + 28));
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = inflateRawSync(zip.subarray(from, from + packed));
    expect([bytes.length, crc32(bytes)]).toEqual([size, crc]);
    at += 46 + nameLength;
    return { name, text: bytes.toString('utf8') };
  });
}

it('an archive has every file, with its bytes and its own name', async () => {
  const long = 'a line of a transcript\n'.repeat(20_000);
  const files: [string, string][] = [
    ['Anruf.txt', 'Grüße'],
    ['anruf.txt', ''],
    ['顧客.txt', long],
    ['Anruf.txt', 'third'],
  ];
  const zip = await zipOf(files.map(([name, text]) => ({ name, content: new Blob([text]) })));
  expect(zip.size).toBeLessThan(long.length / 10);
  expect(entriesIn(Buffer.from(await zip.arrayBuffer()))).toEqual([
    { name: 'Anruf.txt', text: 'Grüße' },
    { name: 'anruf (2).txt', text: '' },
    { name: '顧客.txt', text: long },
    { name: 'Anruf (3).txt', text: 'third' },
  ]);
});
