/** A page of the documentation. */
export interface Page {
  /** The last part of its address: `/docs/<name>`. */
  name: string;
  title: string;
  markdown: string;
  /** The group of the page list it belongs to. */
  group: string;
  /** Its file in the repository. Undefined for a page made from the OpenAPI document. */
  source?: string;
}

/** Text escaped for HTML. */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
