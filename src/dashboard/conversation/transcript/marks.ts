import { type ReadonlySignal, useComputed, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { addMarks, mark, span, textNode, wordAt } from '../highlights.ts';
import { isHard } from '../model.ts';
import type { PageState } from '../state.ts';
import type { TranscriptRows } from './rows.ts';

/** Words below this confidence are underlined. */
const UNSURE_WORD = 0.4;

/** Draws the marks of the search, the unsure words and the spoken word on top of the text. */
export function useMarks(page: PageState, rows: TranscriptRows): void {
  useUnsure(page, rows);
  useRedacted(page, rows);
  useSignalEffect(() => {
    void rows.made.value;
    const hits = page.hits.value.map((hit) => span(textNode(rows.elements[hit.line]), hit.from, hit.to));
    mark('hit', hits);
    mark('cur', [hits[page.hitAt.value]]);
  });
  const word = useComputed(() => {
    const line = page.conversation.lines[page.player.spoken.value];
    return line && wordAt(line, page.player.time.value);
  });
  useSignalEffect(() => {
    void rows.made.value;
    const { value } = word;
    const row = rows.elements[page.player.spoken.value];
    mark('word', [value && span(textNode(row), value.from, value.to)]);
  });
  useOneRow(rows, page.player.spoken, 'act');
  useOneRow(rows, page.selected, 'sel');
  useFilter(page, rows);
  useEffect(
    () => () => {
      for (const name of ['word', 'hit', 'cur', 'unsure', 'redacted'] as const) mark(name, []);
    },
    [],
  );
}

/** Marks uncertain words, including those of rows created later. */
function useUnsure(page: PageState, { made, elements }: TranscriptRows): void {
  const told = useRef({ all: false, upTo: 0 });
  useSignalEffect(() => {
    const count = made.value;
    const all = page.showsUnsure.value;
    if (all !== told.current.all || count < told.current.upTo) {
      told.current = { all, upTo: 0 };
      mark('unsure', []);
    }
    const lines = page.conversation.lines.slice(told.current.upTo, count);
    told.current.upTo = count;
    addMarks(
      'unsure',
      lines
        .filter((line) => all || isHard(line))
        .flatMap((line) =>
          line.words
            .filter((word) => word.confidence < UNSURE_WORD)
            .map((word) => span(textNode(elements[line.index]), word.from, word.to)),
        ),
    );
  });
}

/** A label in place of redacted words, such as `[card]`. */
const LABEL = /\[(?:card|iban|ssn|email|phone|dob|password|account|postcode|address|name|digits)\]/g;

/** Marks the labels of redacted words, including those of rows created later. */
function useRedacted(page: PageState, { made, elements }: TranscriptRows): void {
  const upTo = useRef(0);
  useSignalEffect(() => {
    const count = made.value;
    if (count < upTo.current) {
      upTo.current = 0;
      mark('redacted', []);
    }
    const lines = page.conversation.lines.slice(upTo.current, count);
    upTo.current = count;
    addMarks(
      'redacted',
      lines.flatMap(({ index, text }) =>
        [...text.matchAll(LABEL)].map((label) =>
          span(textNode(elements[index]), label.index, label.index + label[0].length),
        ),
      ),
    );
  });
}

/** Sets a class on one row at a time. */
function useOneRow({ made, elements }: TranscriptRows, index: ReadonlySignal<number | undefined>, name: string): void {
  const last = useRef<HTMLElement>(undefined);
  useSignalEffect(() => {
    void made.value;
    const row = elements[index.value ?? -1];
    if (row === last.current) return;
    last.current?.classList.remove(name);
    row?.classList.add(name);
    last.current = row;
  });
}

/** Hides the lines that do not pass the filter, and blocks without visible lines. */
function useFilter(page: PageState, { made, plan, elements, blocks }: TranscriptRows): void {
  const isOn = useRef(false);
  useSignalEffect(() => {
    void made.value;
    const { value } = page.shown;
    if (!value && !isOn.current) return;
    isOn.current = value !== undefined;
    blocks.forEach((element, i) => {
      const { from, to } = plan.blocks[i]!;
      let count = 0;
      for (let line = from; line < to; line++) {
        const isShown = !value || value.has(line);
        elements[line]!.hidden = !isShown;
        if (isShown) count++;
      }
      element.hidden = count === 0;
      element.style.setProperty('--rows', String(count));
    });
  });
}
