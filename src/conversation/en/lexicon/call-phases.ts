import type { KindPhrases } from '../../lexicon/phase-kinds.ts';

/** Phases of support and sales calls. */
export const CALL_PHASES = {
  problem: {
    cues: [
      'not (working|charging|responding|loading|turning|printing|connecting)',
      "(isn't|wasn't|doesn't|won't|don't) (work|working|turn|start|load|connect|open|charge|fit|print|show)",
      "(can't|cannot|couldn't) (log|get|access|find|open|connect|sign|print|figure|send|make), stopped working",
      'keeps (crashing|freezing|dropping|failing|stopping|cutting|restarting|disconnecting|saying)',
      "(is|was|are|it's|they're) (broken|faulty|leaking|damaged|stuck|defective|dead|down|frozen|cracked)",
      "having (trouble|problems|issues|difficulty), (have|had|got|is|'s) (a|an) (problem|issue|fault|leak|error)",
      "(there's|there is) something wrong, (what's|something's) wrong with, is wrong",
      "(hasn't|never|didn't) (arrive|arrived|receive|received|come|came|show|turn), not (arrived|received)",
      'charged (me|twice|wrong|for), overcharged, wrong (size|item|order|address|amount|colour|color)',
      'i want to complain, (light|lights) (came|come|comes) on, warning (light|sign), service (light|lights)',
      "making (that|a|this) * noise, (grinding|strange|weird|funny) noise, it hurts, (i've|i have) been having",
      'feeling (unwell|sick|dizzy|ill), no (heating|water|signal|connection|internet|power)',
    ],
    hints: [
      'problem|problems|issue|issues|trouble|fault|error|errors, broken|faulty|leaking|leak|damaged|damp|mould',
      'wrong|missing|late|slow, baffled|annoyed|frustrated|frustrating|unhappy|disappointed',
      'pain|ache|cough|fever|headache|dizzy, sorry to hear, sorry about that',
    ],
  },
  verification: {
    cues: [
      'spell (that|it|your), how do you spell, your (last|first|full|sur|user) name',
      'your (surname|username|postcode|birthday), my (last|first|full) name, your name please',
      '(your|the) (account|card|phone|policy|customer|reference|membership|tracking|serial|booking|contact) (number|id)',
      'order (id|number), (account|phone|card|order|reference|policy|membership|booking) (number|id)',
      '(your|the) (full|first|last|user) name, full name, give me your',
      '(your|the) (email|address|account|username|password|zip|name) (please|and|on), your date of birth',
      'date of birth, last four digits, security (question|answer|code), (zip|post) code, verify (your|that|the)',
      'verification, to verify, confirm (your|the) (name|address|number|email|date|last|account)',
      '(may|can|could) i (have|get|take) your, who am i speaking, (pull|pulling|look|looking) up your',
      '(pull|bring) up your (account|file|record|records|details)',
      "(what's|what is) (your|the) (name|number|address|postcode|email|username), is that (with|spelled|spelt)",
    ],
    hints: ['username, your account, our (system|records), which model, model, my name is'],
  },
  troubleshooting: {
    cues: [
      'restart|reboot|reset|unplug|reinstall|reconnect, restarted|rebooted|unplugged|reinstalled, have you tried',
      'did you try, try (turning|restarting|logging|clearing|unplugging|pressing|holding|resetting|again)',
      'turn (it|that) off, plug (it|that), unplugged it, switch (it|that) off',
      'does it (show|say|blink|work|happen|light|make), is it (plugged|switched|connected|on), what do you see',
      'what does it (say|show), when did (it|this|that) (start|begin|stop|happen), (is|are) the (light|lights)',
      'clear your (cache|cookies), log (out|off) and, let me (run|test), press (the|and), the (router|modem|cable)',
    ],
    hints: ['router|modem|cable|browser|settings|screen, lights, click|press, have a look'],
  },
  resolution: {
    cues: [
      "(i've|i have|we've|we have|i) (processed|issued|updated|reset|sent|refunded|cancelled|changed|applied|credited)",
      "(is|are) back (up|online), working now, that's (fixed|worked|sorted), that worked, full refund",
      'refund (you|your|it|the), (send|get|order) you a (replacement|new), a (replacement|refund|voucher|credit)',
      'send (an|someone|somebody|a) (engineer|technician|plumber|electrician), taken care of, at no (cost|charge)',
      'no charge, free of charge, (waive|waived) the, escalate|escalated, credit (it|you|your)',
      "unfortunately * (can't|cannot), we (cannot|can't) accept",
    ],
    hints: [
      'refund|refunded|replacement|voucher|credit|compensation|engineer|technician, fixed|resolved|sorted|solved',
    ],
  },
  order_details: {
    cues: [
      '(which|what) (colour|color|size|model|version|kind|flavour|flavor|type|style) (would|do|did|are|of|is)',
      'what (colour|color|size), how many (would|do) you (like|want|need), would you like (the|a|it|that|to|any|some)',
      '(ship|deliver) (it|that|them|to), (express|standard|regular) (delivery|shipping|post), regular or, to go',
      'for here, anything to drink, the (black|white|red|blue|green) (one|ones)',
      "i'll (take|have) (the|a|two|three|one), (we have|we've) * (black|red|white|blue), gift (wrapped|wrap), is fine",
    ],
    hints: ['colour|color|size|model, delivery|shipping|ship|deliver, regular|large|small|medium|express, in stock'],
  },
  discovery: {
    cues: [
      'what (tools|system|software|process) are you using',
      'how (do|are) you (currently|handling|handle|manage|managing|track|tracking)',
      'how does (it|that) (handle|work) for, currently (use|using|have|do), tell me (about your|more about)',
      'tell me a (bit|little), how many (users|people|seats|employees|locations|sites|vehicles|staff|do)',
      'biggest (challenge|problem|issue|headache), your (goal|goals|needs|requirements|budget|timeline), right now we',
      "at the moment we, we (currently|mostly) use, we've got a (tool|system|supplier), what are you looking for",
      "(how's|how is) it (going|working), feeling about it",
    ],
    hints: ['currently, at the moment, your (team|company|business), challenge|challenges, we (use|need)'],
  },
  product_presentation: {
    cues: [
      'our (product|platform|solution|service|software|app|system|tool) *, let me show, show you (how|the|what|with)',
      '(allows|lets|helps) you, you can (see|click|filter|export|track), out of the box, case (study|studies)',
      'our (customers|clients), we (automate|do|offer|provide|specialise|specialize|help)',
      "it (integrates|comes|includes|connects), the bit we, it's (got|has)",
    ],
    hints: ['feature|features|dashboard|dashboards|demo|integration|integrations|integrates|automate, our'],
  },
  objections: {
    cues: [
      'too (expensive|much|complicated|long|dear|pricey|steep), not sure (about|if|whether|we|that|it)',
      "i'm (worried|concerned|hesitant), we're (worried|concerned|hesitant), my (concern|worry|fear)",
      "already (have|use|using|got), don't (need|see|trust|really), don't have (the|budget|time|money)",
      "out of (our|my) budget, can't afford, think about it, not convinced, (burned|burnt) (before|by|last)",
      "i'd rather (not|be|have), not happy (about|with), that's a lot, more than (i|we)",
    ],
    hints: [
      'concern|concerns|concerned|worried|worry|worries|risk|risky|doubt|expensive|hesitant, but',
      'competitor|competitors',
    ],
  },
  payment: {
    cues: [
      'card (number|details|balance), (credit|debit) card, pay (with|by|from|that|for|your|now), do you want to pay',
      'your payment, payment (for|of|over|or), process (your|the|a) payment, your (savings|checking|check)',
      'bank transfer, direct debit, cash (or|back), the (invoice|receipt)',
    ],
    hints: ['payment|pay|paid|card|invoice|receipt|balance, account'],
  },
} as const satisfies KindPhrases;
