import { Dialog } from './dialog.tsx';
import { Icon } from './icons.tsx';

export function AiActNotice({ close }: { close: () => void }) {
  return (
    <Dialog title="EU AI Act notice" close={close}>
      <p>
        Undertone estimates emotion from how people speak and what they say. In the EU this makes it an emotion
        recognition system (Regulation (EU) 2024/1689, Article 3(39)).
      </p>
      <h3>Inform the people recorded</h3>
      <p>
        Anyone who uses it must inform the people it is used on, clearly and at the latest at their first exposure, and
        process their data lawfully (Article 50(3), in force since 2 August 2026; GDPR).
      </p>
      <div class="notice">
        <Icon name="copy" size={16} />
        <span>
          “This call is recorded. Software transcribes it and estimates from your words and voice how the conversation
          goes, including emotion. You may object now or at any time.”
        </span>
      </div>
      <h3>Prohibited at work and in education</h3>
      <p>
        Inferring the emotions of employees, applicants, pupils or students from their voice is prohibited, unless for
        medical or safety reasons (Article 5(1)(f), since 2 February 2025). A call’s customer side may be read where the
        other rules are met; your own staff’s side may not. Mark such speakers and their tone, emotion, engagement and
        conviction are left out.
      </p>
      <h3>High-risk obligations</h3>
      <p>Other uses are high-risk (Annex III). Their obligations apply from 2 December 2027.</p>
      <p class="t-lab muted">This is a summary, not legal advice.</p>
    </Dialog>
  );
}
