import type { ComponentChildren } from 'preact';
import { OutageMessage } from '../lib/error-message.tsx';
import { Page } from '../lib/page.tsx';
import { isAskingTabs, isOperator, key, outage } from '../lib/session.ts';
import { SignIn } from './SignIn.tsx';

interface AdmissionProps {
  title: string;
  /** The links above the page, which it has in every state. */
  links?: ComponentChildren;
  children: ComponentChildren;
}

/** Admits an operator, or anyone with a key, once it is known who visits. The page says what the key may not. */
export function ForAdministrators({ title, links, children }: AdmissionProps) {
  if (isOperator.value === undefined || isAskingTabs.value)
    return (
      <Page title={title}>
        {links}
        {isOperator.value === undefined && outage.value !== undefined ? <OutageMessage /> : <Loading what={title} />}
      </Page>
    );
  return <>{isOperator.value || key.value !== undefined ? children : <SignIn asks="operator" />}</>;
}

/** Says what is being loaded, once that takes a while. */
export const Loading = ({ what }: { what: string }) => (
  <div class="card sk late" role="status">
    Loading {what.toLowerCase()} …
  </div>
);
