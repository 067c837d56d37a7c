/** Variables of the Worker that are the pipeline's: they reach the container, where containers/pipeline reads them. */
export const CONTAINER_VARIABLES = [
  'MAX_LIVE_SESSIONS',
  'RECOGNITION_WORKERS',
  'DRAIN_SECONDS',
  'SPEAKER_MODEL',
  'SPEAKER_MODEL_SHA256',
] as const;

export type ContainerVariable = (typeof CONTAINER_VARIABLES)[number];

/** Those that are set. A container that runs keeps what it was started with. */
export function containerVariables(env: Partial<Record<ContainerVariable, string>>): Record<string, string> {
  return Object.fromEntries(CONTAINER_VARIABLES.flatMap((name) => (env[name]?.trim() ? [[name, env[name]]] : [])));
}
