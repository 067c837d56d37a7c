import { exportedNames } from './exported-names.ts';
import { folderOrder } from './folder-order.ts';
import { rpcMethods } from './rpc-methods.ts';
import { sources } from './sources.ts';
import { storageKeys } from './storage-keys.ts';
import { style } from './style.ts';
import { unusedExports } from './unused-exports.ts';

const code = sources('.ts', '.tsx');
const faults = [
  ...folderOrder(code),
  ...exportedNames(code),
  ...unusedExports(code),
  ...storageKeys(code),
  ...rpcMethods(code),
  ...style([...code, ...sources('.md')]),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) {
  console.error(`${faults.length} faults; see docs/style.md and CONTRIBUTING.md for the rules`);
  process.exitCode = 1;
}
