import '../style/phases.css';

/** The number of a phase. */
export const Nth = ({ of: nth }: { of: number }) => (
  <b class="nth1 num" aria-hidden="true">
    {nth}
  </b>
);
