/** A page of the documentation. */
export interface Page {
  /** The last part of its address: `/docs/<name>`. */
  name: string;
  title: string;
  markdown: string;
  /** The group that it belongs to in the list of pages. */
  group: string;
  /** Its source file in the repository. Undefined for a page generated from the OpenAPI document. */
  source?: string;
}

/** Text escaped for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
