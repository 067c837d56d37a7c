import { describe, expect, it } from 'vitest';
import { genreOf } from '../../../src/conversation/phases/naming.ts';
import { segmentConversation } from '../../../src/conversation/phases.ts';
import { utterancesOf } from '../timelines.ts';

const SUPPORT = `
agent: Hello, thank you for calling customer support, how can I help you today?
caller: Hi, my internet is not working since yesterday.
agent: I am sorry about that. May I have your account number and your full name?
caller: My account number is in my email, the name is Robin Field.
agent: Thank you, let me verify the account. Have you tried to restart the router?
caller: Yes, I restarted it, the screen shows an error.
agent: Please unplug the cable and plug it in again, then check the settings.
caller: I unplugged it. The light is green now.
agent: Great, so the internet works now?
caller: It is working now, thank you.
agent: I have reset the line, so it is all set. Is there anything else I can do?
caller: No, that is all. Have a nice day, bye.
`;

describe('the genre', () => {
  it('is support where accounts and routers are talked of', () => {
    expect(genreOf(utterancesOf(SUPPORT).map((u) => u.text))).toBe('support');
  });

  it('is none of the lists where nothing speaks for one', () => {
    expect(genreOf(['I like rain.', 'Me too.', 'Snow is nicer.', 'Not for my knees.'])).toBe('any');
  });
});

describe('phase names', () => {
  it('come from the list of the genre', () => {
    const { phases } = segmentConversation(utterancesOf(SUPPORT));
    const known = /^(Opening|Issue Description|Identification|Troubleshooting|Resolution|Closing)/;
    expect(phases.some((p) => known.test(p.phase_name))).toBe(true);
  });

  it('fall back to the topic', () => {
    const text = `
a: The volcano on the island erupted in spring.
b: Lava from the volcano reached the village.
a: The village was empty, and the lava stopped at the church.
b: They dug the church out of the lava.`;
    expect(segmentConversation(utterancesOf(text)).phases[0]?.phase_name).toMatch(
      /^Discussion: (Volcano|Lava|Church|Village)/,
    );
  });
});
