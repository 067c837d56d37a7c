import type { ComponentChildren } from 'preact';
import '../style/terms.css';

/** The terms of a page, folded until somebody asks. */
export const Terms = ({
  terms,
  title = 'What these mean',
}: {
  terms: readonly (readonly [term: string, meaning: ComponentChildren])[];
  title?: string;
}) => (
  <details class="terms1">
    <summary>{title}</summary>
    <dl>
      {terms.map(([term, meaning]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  </details>
);
