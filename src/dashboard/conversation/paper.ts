import { signal } from '@preact/signals';

const print = matchMedia('print');
/** Whether the page is printed right now. The event comes before the styles of paper, so that they find what is drawn for them. */
export const isPrinted = signal(print.matches);
const turn = (): void => {
  isPrinted.value = print.matches;
};
addEventListener('beforeprint', () => {
  isPrinted.value = true;
});
addEventListener('afterprint', turn);
print.addEventListener('change', turn);
