import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../../..');
const WEIGHTS = globSync(['src/**/*.bin', 'containers/**/*.bin'], {
  cwd: ROOT,
  exclude: ['**/node_modules/**'],
}).sort();

/** The card of a file of weights: `<name>.card.json`, or a README in its folder that names the file. */
function cardOf(file: string): { text: string; id?: string } | undefined {
  try {
    const text = readFileSync(join(ROOT, file.replace(/\.bin$/, '.card.json')), 'utf8');
    return { text, id: JSON.parse(text).id };
  } catch {
    const text = readFileSync(join(ROOT, dirname(file), 'README.md'), 'utf8');
    return text.includes(`\`${basename(file)}\``) ? { text } : undefined;
  }
}

it('finds weights that need cards', () => expect(WEIGHTS.length).toBeGreaterThan(5));

describe.each(WEIGHTS)('the weights %s', (file) => {
  it('have a card of their own that names their training data', () => {
    const card = cardOf(file);
    expect(card, `${file} has no card`).toBeDefined();
    expect(card!.text).toMatch(/trained_on|## Sources and licences/);
    if (card!.id !== undefined)
      expect(
        createHash('sha256')
          .update(readFileSync(join(ROOT, file)))
          .digest('hex')
          .slice(0, card!.id.length),
      ).toBe(card!.id);
  });

  it('are listed in docs/reference/models.md', () => {
    const page = readFileSync(join(ROOT, 'docs/reference/models.md'), 'utf8');
    expect(page.includes(basename(file)) || page.includes(`${dirname(file)}/`)).toBe(true);
  });
});
