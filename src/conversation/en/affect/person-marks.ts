/**
 * The people that a text refers to: the speaker, the listener, the speaker's side. They are features of the affect
 * network, in this order.
 */
export const PERSON_MARKS: readonly RegExp[] = [/\b(I|i|my|me)\b/, /\b[Yy]ou/, /\b([Ww]e|[Oo]ur)\b/];
