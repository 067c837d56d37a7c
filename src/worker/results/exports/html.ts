import { clock } from './clock.ts';
import type { ExportFormat } from './exported.ts';
import { type ExportedTurn, type OutlineLine, outlineOf } from './outline.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/**
 * Colours of speakers, in the order in which they first speak. Each has a contrast of at least 3:1 to its background.
 */
const LIGHT = ['#074fb9', '#b36b00', '#7c0032', '#00806f', '#8a4fd6', '#656602', '#1f799c', '#636672'];
const DARK = ['#7c9cf4', '#fdb15f', '#f0709b', '#a1eeda', '#e4b8fb', '#b5cc5e', '#4cc4e0', '#a9b2b9'];

const STYLE = `
:root { color-scheme: light dark; --bg: #f6f6f4; --sheet: #fff; --ink: #1a1c20; --ink2: #4c4f57; --ink3: #696d76; --line: #e5e5e1;
${LIGHT.map((colour, i) => `--s${i}: ${colour};`).join(' ')} }
@media (prefers-color-scheme: dark) { :root { --bg: #0e1013; --sheet: #15181d; --ink: #eceef1; --ink2: #b9bec7; --ink3: #8f96a1; --line: #282d35;
${DARK.map((colour, i) => `--s${i}: ${colour};`).join(' ')} } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--bg); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
main { max-width: 46rem; margin: 2rem auto; padding: 2rem clamp(1rem, 4vw, 3rem) 3rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 14px; }
h1 { font-size: 1.6rem; line-height: 1.25; letter-spacing: -.02em; margin: 0 0 1rem; }
h2 { font-size: 1.05rem; margin: 2.2rem 0 .5rem; padding-top: 1rem; border-top: 1px solid var(--line); }
h3 { font-size: .95rem; color: var(--ink2); margin: 1.8rem 0 .6rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; margin: 0; color: var(--ink2); font-size: .92rem; }
dt { color: var(--ink3); } dd { margin: 0; }
ul { margin: 0; padding-left: 1.1rem; } li { margin: .3rem 0; } p { margin: 0; }
time { color: var(--ink3); font-size: .82rem; font-variant-numeric: tabular-nums; margin-right: .4rem; }
a { color: inherit; text-decoration: none; } a:hover, a:focus-visible { text-decoration: underline; }
.turn { margin: 0 0 .9rem; padding-left: .8rem; border-left: 3px solid var(--who, var(--line)); break-inside: avoid; }
.turn b { margin-right: .5rem; } :target { background: color-mix(in srgb, #ffc947 35%, transparent); }
@media print { body { background: #fff; color: #000; font-size: 10.5pt; } main { margin: 0; padding: 0; border: 0; max-width: none; } h2, h3 { break-after: avoid; } }
`;

const itemOf =
  (anchors: ReadonlyMap<string, string>) =>
  ({ lead, at, text, utteranceId }: OutlineLine): string => {
    const anchor = anchors.get(utteranceId ?? '');
    const when = at === undefined ? '' : `<time>${clock(at)}</time>`;
    return `<li>${anchor ? `<a href="#${anchor}">${when}</a>` : when}${lead === undefined ? '' : `<b>${escaped(lead)}</b> `}${escaped(text)}</li>\n`;
  };

/** A self-contained page without scripts or links, for light and dark themes and for printing. */
export const html: ExportFormat = {
  extension: '.html',
  contentType: 'text/html; charset=utf-8',
  *write(conversation) {
    const { title, facts, sections, phases } = outlineOf(conversation);
    const anchors = new Map(conversation.timeline.map(({ utterance_id }, i) => [utterance_id, `u${i}`]));
    const places = new Map(Object.keys(conversation.metrics.speakers).map((name, i) => [name, i % LIGHT.length]));
    yield `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n`;
    yield `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">\n`;
    yield `<meta name="referrer" content="no-referrer">\n<title>${escaped(title)}</title>\n<style>${STYLE}</style>\n</head>\n<body>\n<main>\n`;
    yield `<h1>${escaped(title)}</h1>\n<dl>\n`;
    for (const [name, value] of facts) yield `<dt>${name}</dt><dd>${escaped(value)}</dd>\n`;
    yield '</dl>\n';
    for (const { heading, lines } of sections) {
      yield `<section>\n<h2>${heading}</h2>\n`;
      yield lines.length === 1 && lines[0]!.lead === undefined
        ? `<p>${escaped(lines[0]!.text)}</p>\n`
        : `<ul>\n${lines.map(itemOf(anchors)).join('')}</ul>\n`;
      yield '</section>\n';
    }
    yield '<section>\n<h2>Transcript</h2>\n';
    for (const { name, at, turns } of phases) {
      if (name !== '') yield `<h3><time>${clock(at)}</time>${escaped(name)}</h3>\n`;
      for (const turn of turns) yield turnOf(turn, anchors, places);
    }
    yield '</section>\n</main>\n</body>\n</html>\n';
  },
};

function turnOf(turn: ExportedTurn, anchors: ReadonlyMap<string, string>, places: ReadonlyMap<string, number>): string {
  const { speaker, at, utterances } = turn;
  const place = places.get(speaker);
  const said = utterances.map((u) => `<span id="${anchors.get(u.utterance_id)}">${escaped(u.text)}</span>`).join(' ');
  return `<div class="turn"${place === undefined ? '' : ` style="--who: var(--s${place})"`}><b>${escaped(speaker)}</b><time>${clock(at)}</time><p>${said}</p></div>\n`;
}
