import MiniSearch from 'minisearch';

// The search of the documentation. The build writes the index to `/docs/search.json`, which is fetched on first use.

interface Section {
  id: string;
  page: string;
  heading: string;
  text: string;
}

const MOST_RESULTS = 12;
/** Number of characters shown around the first matching word. */
const SHOWN_CHARS = 140;
const FIELDS = ['heading', 'page', 'text'];

let index: Promise<MiniSearch<Section>> | null = null;

/** Finds sections that contain every word of the query. Beginnings of words and small misspellings match, too. */
async function found(query: string): Promise<(Section & { terms: string[] })[]> {
  index ??= load();
  const results = (await index).search(query, {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
    boost: { heading: 4, page: 2 },
  });
  return results.slice(0, MOST_RESULTS) as unknown as (Section & { terms: string[] })[];
}

async function load(): Promise<MiniSearch<Section>> {
  const response = await fetch('/docs/search.json');
  if (!response.ok) throw new Error(`the search index returned ${response.status}`);
  const built = new MiniSearch<Section>({ fields: FIELDS, storeFields: ['id', ...FIELDS] });
  built.addAll((await response.json()) as Section[]);
  return built;
}

/** The part of a text around its first match. */
function excerpt(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const hits = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const at = Math.max(0, Math.min(...(hits.length > 0 ? hits : [0])) - SHOWN_CHARS / 3);
  const from = at === 0 ? 0 : text.indexOf(' ', at) + 1;
  return `${from > 0 ? '… ' : ''}${text.slice(from, from + SHOWN_CHARS)}${from + SHOWN_CHARS < text.length ? ' …' : ''}`;
}

function resultOf({ id, page, heading, text, terms }: Section & { terms: string[] }): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = id;
  const title = document.createElement('strong');
  title.textContent = heading === '' ? page : heading;
  const place = document.createElement('small');
  place.textContent = heading === '' ? '' : page;
  const part = document.createElement('span');
  part.textContent = excerpt(text, terms);
  link.append(title, place, part);
  item.append(link);
  return item;
}

/** Lets readers search from the box in the header, and with `/` from anywhere. */
export function offerSearch(): void {
  const form = document.getElementById('search');
  const box = form?.querySelector('input');
  const list = form?.querySelector('ol');
  const status = form?.querySelector('[role=status]');
  if (!form || !box || !list || !status) return;
  form.hidden = false;
  let asked = '';
  const close = (): void => {
    list.replaceChildren();
    status.textContent = '';
  };
  const ask = async (): Promise<void> => {
    const query = box.value.trim();
    asked = query;
    if (query === '') return close();
    try {
      const sections = await found(query);
      if (asked !== query) return;
      list.replaceChildren(...sections.map(resultOf));
      status.textContent =
        sections.length === 0 ? `Nothing found for “${query}”.` : `${sections.length} sections, the best first`;
    } catch {
      index = null;
      list.replaceChildren();
      status.textContent = 'The search could not be loaded. Check your connection and type again.';
    }
  };
  box.addEventListener('input', () => void ask());
  box.addEventListener('focus', () => void ask());
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    list.querySelector('a')?.click();
  });
  form.addEventListener('keydown', (event) => {
    const links = [box, ...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus();
    else if (event.key === 'ArrowUp') links[Math.max(at - 1, 0)]?.focus();
    else if (event.key === 'Escape') {
      box.value = '';
      box.focus();
      close();
    } else return;
    event.preventDefault();
  });
  // A link within the page does not load it again.
  list.addEventListener('click', close);
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
  });
}
