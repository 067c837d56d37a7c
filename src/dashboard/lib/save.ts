/** Gives the browser a file to keep. */
export function save(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun by then; the bytes are held until it is let go.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A title as the name of a file: what systems refuse there is left out. */
export const fileName = (title: string): string =>
  title
    .replace(/[\p{Cc}\\/:*?"<>|]+/gu, ' ')
    .trim()
    .slice(0, 80) || 'conversation';
