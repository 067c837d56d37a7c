import { expect, it } from 'vitest';
import { weightsBytes } from '../../../containers/pipeline/conversation-weights.ts';
import { weightsTree } from '../../../src/conversation/packed-weights.ts';
import { type RoleWeights, rolesOfTwo, SURE_ROLE } from '../../../src/conversation/people/roles.ts';

const weights = weightsTree<RoleWeights>(weightsBytes('roles'));

const AGENT = [
  'Thank you for calling. How may I help you today?',
  'I have a table for two at seven at the Golden House. Would you like me to book it?',
  'Your booking was successful. The reference number is 7 G H 4. Is there anything else I can help you with?',
];
const CUSTOMER = [
  "Hi, I'm looking for a cheap restaurant in the centre of town.",
  'Yes please, I need it for two people on Saturday. Can I have the phone number?',
  'No, that is all I need. Thank you for your help.',
];
const DOCTOR = [
  'What brought you in today? How long have you had the pain?',
  'Do you have any other symptoms, like fever or cough? Are you taking any medications?',
  'Any allergies? Does anybody in your family have heart problems?',
];
const PATIENT = [
  'My chest has been hurting for three days and I feel short of breath.',
  'No fever, but I have been coughing a bit. I take a pill for my blood pressure.',
  'My dad had a heart attack when he was sixty. I feel pretty worried.',
];

it.each([
  ['agent and customer', AGENT, CUSTOMER, ['agent', 'customer']],
  ['customer and agent', CUSTOMER, AGENT, ['customer', 'agent']],
  ['doctor and patient', DOCTOR, PATIENT, ['doctor', 'patient']],
])('%s are told apart', (_, first, second, roles) => {
  const found = rolesOfTwo([first, second], weights);
  expect(found?.roles).toEqual(roles);
  expect(found!.confidence).toBeGreaterThan(0.5);
});

it('nothing is sure from few words, from two of a kind, or from talk between friends', () => {
  expect(rolesOfTwo([['Hello.'], ['How may I help you?']], weights)).toBeNull();
  for (const pair of [
    [AGENT, AGENT],
    [PATIENT, PATIENT],
    [
      ['I saw the film last night and it was so funny, you would have loved the ending, honestly, the dog was great.'],
      ['We went to the lake with the kids on Sunday, and then it rained all day, so we played cards in the tent.'],
    ],
  ] as const)
    expect(rolesOfTwo(pair as [string[], string[]], weights)?.confidence ?? 0).toBeLessThan(SURE_ROLE);
});
