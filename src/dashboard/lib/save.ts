/** Downloads a file in the browser. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; the bytes are held until this.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A title as a file name, without the characters that systems refuse. */
export const fileName = (title: string): string =>
  title
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 80) || 'conversation';
