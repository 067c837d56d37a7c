import type { TopicLists } from '../../language.ts';
import { WORDS } from './words.ts';

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(' '));
const stemSet = (words: string): ReadonlySet<string> => new Set(words.split(' ').map(WORDS.stem));

export const TOPIC_LISTS: TopicLists = {
  /** Everyday words that are never a topic, though cohesion counts them as content words. */
  weakStems: stemSet(
    'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen thirty forty fifty sixty seventy eighty ninety million third fourth fifth thirtieth quarter goodness mrs mr ms sir madam least god wow dear forward itself upstairs downstairs whether myself yourself himself herself themselves ourselves everyone everybody anybody nobody somebody whenever wherever whatever otherwise says moment second half bother whatever ones others rest matter chance mind idea fact reason ever few many several dozen time day week month year today tomorrow tonight morning people person guy man part point question idea problem case couple place end side number name good great nice bad big small little better best different able long new old last next first second whole fine cool okay happy sorry love like need work talk call called start tell ask feel hope try trying keep use used using call happen mean start stop move bring turn change help give show find read wait hear live leave stay big hundred thousand ten two three four five six seven eight nine twenty thirty hour minute half pretty real really true course absolutely exactly definitely probably already always never maybe together instead enough quite almost later sometimes usually often soon ago away around without within every another since until though anyway else wonderful interesting important possible welcome interested example effort impact cent type area option meeting program perfect awesome understand understood believe remember wonder suppose figure agree matter sense haha lol yep hmm',
  ),
  /** Words that are followed by a noun or its adjective. */
  determiners: wordSet(
    'the a an my your our their his her its this that these those some any no another each every of for with about more',
  ),
  /** Words that separate noun phrases, though cohesion counts them as content words. */
  breaks: wordSet(
    'before after during under between till until through across along among against inside outside upon behind past above below beside near towards per via itself',
  ),
  /** Patterns in which people name themselves and each other. Names are not topics. */
  named:
    /\b(?:name is|name's|this is|i'm|hi|hey|hello|thanks|thank you|mr|mrs|ms|dr|okay|so|yeah)[,.]? ([A-Z][a-z]+)(?=[ ,.!?]|$)/giu,
  beforeName: /(?<=[\p{L}\p{N}][,;:]?\s)(?:(?!I\b)\p{Lu}[\p{L}'’]*\s){1,2}$/u,
};
