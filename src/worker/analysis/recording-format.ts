import { quoted, ServiceError } from '../../contract/errors.ts';
import { extensionOf, UPLOAD_EXTENSIONS, type UploadExtension } from '../../contract/media.ts';

/** Formats by media type. */
const BY_TYPE: Readonly<Record<string, UploadExtension>> = {
  'audio/mpeg': '.mp3',
  'audio/mp3': '.mp3',
  'audio/wav': '.wav',
  'audio/x-wav': '.wav',
  'audio/wave': '.wav',
  'audio/vnd.wave': '.wav',
  'audio/mp4': '.m4a',
  'audio/x-m4a': '.m4a',
  'audio/m4a': '.m4a',
  'audio/aac': '.aac',
  'audio/aacp': '.aac',
  'audio/webm': '.webm',
  'video/webm': '.webm',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
  'audio/flac': '.flac',
  'audio/x-flac': '.flac',
  'audio/ogg': '.ogg',
  'application/ogg': '.ogg',
  'audio/opus': '.opus',
};

/** The format for a `Content-Type`. Undefined unless it is a supported audio or video type. */
export const formatOfType = (contentType: string): UploadExtension | undefined =>
  BY_TYPE[contentType.split(';')[0]?.trim().toLowerCase() ?? ''];

/** The format for a file name's extension. Undefined for an unknown or missing extension. */
export const formatOfName = (filename: string): UploadExtension | undefined => {
  const extension = extensionOf(filename);
  return UPLOAD_EXTENSIONS.find((known) => known === extension);
};

/** Number of leading bytes needed to recognise a format. */
const HEAD_BYTES = 12;

/**
 * The format of a file, judging by its first bytes. The decoder detects the format itself and does not rely on this.
 */
export function formatOfBytes(head: Uint8Array): UploadExtension | undefined {
  const text = String.fromCharCode(...head.subarray(0, HEAD_BYTES));
  if (/^RIFF|^RF64/.test(text) && text.startsWith('WAVE', 8)) return '.wav';
  if (text.startsWith('OggS')) return '.ogg';
  if (text.startsWith('fLaC')) return '.flac';
  if (text.startsWith('\x1a\x45\xdf\xa3')) return '.webm';
  if (text.startsWith('ID3')) return '.mp3';
  if (text.slice(4, 8) === 'ftyp')
    return text.startsWith('M4A', 8) ? '.m4a' : text.startsWith('qt', 8) ? '.mov' : '.mp4';
  const [first = 0, second = 0] = head;
  // Twelve set bits start a frame of MPEG audio. Two of the next three bits encode its layer, which is 0 in ADTS.
  if (first !== 0xff || second < 0xf0) return undefined;
  return (second & 0x06) === 0 ? '.aac' : '.mp3';
}

/** @throws ServiceError UNSUPPORTED_MEDIA naming the supported extensions */
export function supportedExtension(filename: string): UploadExtension {
  const format = formatOfName(filename);
  if (format) return format;
  const extension = extensionOf(filename);
  throw unsupported(
    extension === '' ? 'The file has no extension' : `Unsupported file extension "${quoted(extension)}"`,
  );
}

/**
 * The format of a file in a form, taken from the extension of its name, else from the part's type, else from the first
 * bytes.
 * @throws ServiceError UNSUPPORTED_MEDIA naming the supported extensions
 */
export function formatOfFile({
  filename,
  type,
  head,
}: {
  filename: string;
  type: string;
  head: Uint8Array;
}): UploadExtension {
  if (extensionOf(filename) !== '') return supportedExtension(filename);
  const format = formatOfType(type) ?? formatOfBytes(head);
  if (format) return format;
  throw unsupported(
    'The file has no extension, and neither its type nor its first bytes are those of a supported format',
  );
}

const unsupported = (fault: string): ServiceError =>
  new ServiceError('UNSUPPORTED_MEDIA', `${fault}; supported extensions: ${UPLOAD_EXTENSIONS.join(', ')}`);
