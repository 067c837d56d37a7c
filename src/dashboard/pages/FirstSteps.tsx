import '../style/first-steps.css';
import { Icon } from '../lib/icons.tsx';

/** The empty list, with three steps that lead to a first conversation. */
export function FirstSteps() {
  return (
    <>
      <div class="card empty">
        <b>Drop a recording and read it line by line as it is analysed.</b>
        <p class="muted">
          Who spoke, what they said, how they said it, and what it means. Every claim links to the moment it comes from.
        </p>
        <div class="row">
          <a class="btn pri" href="/app/analyse?sample">
            Analyse the sample call
          </a>
          <a class="btn" href="/app/analyse">
            <Icon name="up" size={16} /> Analyse
          </a>
          <a class="btn" href="/app/live">
            <Icon name="mic" size={16} /> Go live
          </a>
        </div>
      </div>
      <ol class="steps3">
        <li class="card done">
          <span class="st">
            <Icon name="check" size={14} /> Step 1, done
          </span>
          <b>Sign in</b>
          <span>You are signed in. Everything you create belongs to this key’s tenant.</span>
        </li>
        <li class="card">
          <span class="st">Step 2, half a minute</span>
          <b>Analyse the sample call</b>
          <span>A short sales call, analysed right now on your service.</span>
          <a class="btn sm" href="/app/analyse?sample">
            Begin
          </a>
        </li>
        <li class="card">
          <span class="st">Step 3</span>
          <b>From a claim to its evidence</b>
          <span>Open the result and click a time, a word or a moment to hear it. Press ? for keyboard shortcuts.</span>
        </li>
      </ol>
    </>
  );
}
