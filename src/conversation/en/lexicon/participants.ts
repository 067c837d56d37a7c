import type { ParticipantCues } from '../../language.ts';

export const PARTICIPANTS: ParticipantCues = {
  // Phrases that occur only in recordings. A phrase that people also use ("leave a message", "please hold") does not
  // reveal a machine.

  /** An answering machine's greeting. */
  answeringMachine:
    /\b(?:(?:after|at) the (?:tone|beep|signal)|you(?:'ve| have) reached the (?:voice ?mail|mail ?box|answering)|(?:can't|cannot|can not|(?:unable|not able|not available) to) (?:come to the phone|(?:take|answer) (?:your|the) (?:call|phone))|(?:please )?(?:leave|record) (?:us |me )?(?:a|your) (?:\w+ )?(?:message|name)\b[^.?!]{0,60}\b(?:and|so) (?:i|we|someone|somebody)(?:'ll| will| can) (?:call|get back|return|ring)|(?:mail ?box|voice ?mail)(?: \w+){0,4} is (?:full|not set up))/i,
  /** An announcement to callers: a queue, a menu, a number out of service. */
  announcement:
    /\b(?:your call is (?:very )?important|(?:all|each) (?:of )?our (?:\w+ ){0,2}(?:agents?|operators?|representatives?|advisors?|advisers?|lines?|assistants?|colleagues) (?:is|are) (?:currently |all |still )*(?:busy|assisting|helping|serving|engaged)|(?:stay|remain) on the line|you are (?:caller )?(?:number|next in)|(?:estimated|expected|current) wait(?:ing)? time|press (?:\d|one|two|three|four|five|six|seven|eight|nine|zero|star|pound|hash)\b|(?:the )?number you have (?:dialled|dialed|called)|your call will be (?:answered|taken|connected)|listen carefully)/i,
  /** The beginning of a response to somebody. */
  response:
    /^(?:(?:oh|ah|well|and|so|um|uh),? )*(?:yes|yeah|yep|yup|no|nope|okay|ok|right|sure|alright|all right|mm+|mhm|uh-?huh|i see|exactly|of course|absolutely|great|perfect|good|fine|thanks?|thank you|you're welcome|sorry|hello|hi|bye|goodbye|really|wow|that's (?:right|true|fine|great|okay|correct|it)|got it|no problem)\b/i,
  greeting: /^(?:oh,? )?(?:hello|hi|hey|good (?:morning|afternoon|evening))\b/i,
  /** Words addressed to somebody present. */
  address: /\b(?:you|your|yours|you're|you'll|you've|y'all)\b/i,
};
