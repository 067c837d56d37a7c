import { settingsOf } from './settings.ts';

/**
 * The objects of a namespace that are in the deployment's jurisdiction (`JURISDICTION`). The platform then runs and
 * stores them there and nowhere else, and an id of another jurisdiction is refused.
 * @throws Error in the local runtime when the setting is set
 */
export function inJurisdiction<T extends Rpc.DurableObjectBranded | undefined>(
  env: object,
  namespace: DurableObjectNamespace<T>,
): DurableObjectNamespace<T> {
  const { jurisdiction } = settingsOf(env);
  return jurisdiction === undefined ? namespace : namespace.jurisdiction(jurisdiction);
}

/** The object with a name. Each call makes a new stub, because a stub that threw an exception may stay broken. */
export function objectNamed<T extends Rpc.DurableObjectBranded | undefined>(
  env: object,
  namespace: DurableObjectNamespace<T>,
  name: string,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): DurableObjectStub<T> {
  const objects = inJurisdiction(env, namespace);
  return objects.get(objects.idFromName(name), options);
}
