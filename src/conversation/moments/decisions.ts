import type { DecisionWeights } from '../acts/act-model.ts';
import { type Network, runNetwork, unpackNetwork } from './layers.ts';

interface Decision {
  features: (readonly [name: string, mean: number, scale: number])[];
  network: Network;
}

/** Unpacked when they are first asked. */
const unpacked = new WeakMap<DecisionWeights, Decision>();

function decisionOf(weights: DecisionWeights): Decision {
  let decision = unpacked.get(weights);
  if (!decision) {
    const features = Object.entries(weights.features).map(([name, [mean, scale]]) => [name, mean, scale] as const);
    decision = { features, network: unpackNetwork(weights.network) };
    unpacked.set(weights, decision);
  }
  return decision;
}

/** Log-odds of a yes by named features; a missing one is 0. */
export function logOdds(weights: DecisionWeights, values: Readonly<Record<string, number>>): number {
  const { features, network } = decisionOf(weights);
  const input = Float32Array.from(features, ([name, mean, scale]) => ((values[name] ?? 0) - mean) / scale);
  return runNetwork(network, input)[0]!;
}
