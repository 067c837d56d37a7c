/** Classes of words that cue phrases refer to as `<class>`. */
export const WORD_CLASSES = {
  day: ['monday tuesday wednesday thursday friday saturday sunday tomorrow today tonight weekend'],
  i: ['i we'],
  ill: ["i'll we'll"],
  be: ["is are was were be been i'm we're it's that's they're you're he's she's there's"],
  not: [
    "not don't doesn't didn't can't cannot couldn't won't wouldn't isn't aren't wasn't never hardly haven't hasn't",
  ],
  /** Verbs for a concrete next step that somebody can be asked to agree to. */
  step: [
    'schedule book set sign start begin try meet call talk meet reschedule switch upgrade order buy purchase send email ship',
    'deliver arrange plan go proceed move continue come stop drop pick bring make put do get take give join visit invite draft',
    'add extend renew cancel refund replace repair fix swap trade split share organise organize run test pilot trial install',
    'pay settle transfer reserve hold lock keep use offer confirm finalise finalize submit apply enrol enroll register',
    'grab have sit follow connect introduce loop walk show look review change raise lower reduce waive agree work leave wait',
    'focus skip postpone push cover hire refer prescribe increase cut save invest open close ask write prepare create build',
  ],
  /** Things that are given to the other side. */
  give: [
    'send email give offer get bring show draft book schedule ship credit refund waive extend throw knock put set add arrange issue',
  ],
  price: [
    'price prices pricing cost costs fee fees budget money dollars euros pounds quote premium premiums rate rates rent payment',
    'payments salary discount invoice bill charge charges expense expenses deposit commission interest instalment instalments installments deductible',
  ],
  time: ['time timing schedule calendar deadline quarter month months week weeks year timeline busy rush date'],
  authority: [
    'boss manager director board husband wife partner spouse committee procurement legal finance cfo ceo cto team landlord parents accountant lawyer',
  ],
  trust: [
    'trust reviews reputation scam burned burnt promises promised guarantee reliable references proof credibility',
  ],
  tech: [
    'integration integrate integrates integrations compatible api security data migration system systems software server servers uptime',
    'install platform sso compliance gdpr encryption latency bug bugs setup format installation legacy firewall cloud interface',
  ],
  rival: [
    'competitor competitors competition alternative alternatives vendor vendors supplier suppliers provider providers',
  ],
} as const;
