import { expect, it } from 'vitest';
import { listedMethods, type RpcMethods, remoteMethods, rpcMethods } from '../../scripts/check/rpc-methods.ts';
import { sources } from '../../scripts/check/sources.ts';

const OBJECT = `
export class Shelf extends DurableObject<Env> {
  readonly #door = 1;
  constructor(ctx: Ctx) {
    super(ctx);
  }
  async enter(name: string): Promise<void> {
    if (name) this.#open();
  }
  get guests() {
    return 1;
  }
  #open(): void {}
}
`;
const faultsOf = (listed: RpcMethods, caller = ''): string[] =>
  rpcMethods(
    [
      { path: 'src/worker/shelf.ts', text: OBJECT },
      { path: 'src/worker/caller.ts', text: caller },
    ],
    listed,
  );

it('accepts calls of listed methods that a deployed version has', () => {
  expect(faultsOf({ Shelf: { enter: '1.0.0', guests: '1.0.0' } }, 'shelf.enter("me")')).toEqual([]);
});

it('refuses a public method or getter that is not listed', () => {
  expect(faultsOf({ Shelf: { guests: '1.0.0' } })).toEqual([
    expect.stringMatching(/^src\/worker\/shelf\.ts:7: .*Shelf\.enter/),
  ]);
  expect(faultsOf({})).toHaveLength(2);
});

it('refuses the call of a method that no deployed version has', () => {
  const listed = { Shelf: { enter: null, guests: '1.0.0' } };
  expect(faultsOf(listed)).toEqual([]);
  expect(faultsOf(listed, 'a;\nawait shelf.enter("me")')).toEqual([
    'src/worker/caller.ts:2: no deployed version has Shelf.enter: call it one deployment later',
  ]);
});

it('refuses a listed method that was removed', () => {
  const listed = { Shelf: { enter: '1.0.0', guests: '1.0.0', leave: '1.0.0' } };
  expect(faultsOf(listed)).toEqual([expect.stringContaining('Shelf.leave no longer exists')]);
});

it('finds the methods of every class of the service that is called by RPC, and all are listed', () => {
  const files = sources('.ts');
  expect(new Set(remoteMethods(files).map(({ of }) => of))).toEqual(new Set(Object.keys(listedMethods())));
  expect(Object.keys(listedMethods())).toEqual(expect.arrayContaining(['LiveSession', 'Tenant', 'PipelineContainer']));
  expect(rpcMethods(files)).toEqual([]);
});
