/** A page of the documentation. */
export interface Page {
  /** The last part of its address. */
  name: string;
  title: string;
  markdown: string;
  /** Of the list of all pages. */
  group: string;
}

/** Text as it stands in HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
