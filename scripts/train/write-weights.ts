import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEIGHTS_FOLDER } from '../../containers/pipeline/conversation-weights.ts';
import { WEIGHTS_FILES, type WeightsName } from '../../src/conversation/weights.ts';
import { digest, fingerprintOf } from './feature-fingerprints.ts';
import { packTree } from './pack-weights.ts';

/** The content of `<name>.card.json` beside a weights file. */
export interface WeightsCard {
  /** The first digits of the SHA-256 of the file. */
  id: string;
  trained_on: string[];
  /** The script that writes the file. */
  made_by: string;
  /** The `fingerprintOf` of the weights at training time. */
  features: string;
}

const ID_MODULE = join(WEIGHTS_FOLDER, '../weights-id.ts');

export const readCard = (name: WeightsName): WeightsCard =>
  JSON.parse(readFileSync(join(WEIGHTS_FOLDER, `${name}.card.json`), 'utf8')) as WeightsCard;

/** The id of all weights together, computed from the ids on their cards. */
export const idOfAll = (): string => digest(WEIGHTS_FILES.map((name) => `${name} ${readCard(name).id}\n`).join(''));

/** Writes weights and their card, and updates the id of all weights, which depends on the cards. */
export function writeWeights(name: WeightsName, tree: object, card: Pick<WeightsCard, 'trained_on' | 'made_by'>): void {
  const file = packTree(tree);
  const whole: WeightsCard = { id: digest(file), ...card, features: fingerprintOf(name) };
  writeFileSync(join(WEIGHTS_FOLDER, `${name}.bin`), file);
  writeFileSync(join(WEIGHTS_FOLDER, `${name}.card.json`), `${JSON.stringify(whole, null, 2)}\n`);
  const module = readFileSync(ID_MODULE, 'utf8');
  writeFileSync(ID_MODULE, module.replace(/'[0-9a-f]+'/, `'${idOfAll()}'`));
}
