import {
  floatConstant,
  GRAPH_NODE,
  GRAPH_OUTPUT,
  intAttribute,
  intConstant,
  intsAttribute,
  type Node,
  nameOf,
  newNode,
  readNode,
} from '../../models/onnx.ts';
import { readFields } from '../../models/protobuf.ts';
import type { DecoderShape } from './shape.ts';

/** Base of the rotation by a token's position (Su et al. 2021). */
const BASE = 10_000;
/** Number of token positions that the rotation tables cover. */
export const MOST_TOKENS = 512;

const OWN = 'later';
const bytesOf = (values: Float32Array) => new Uint8Array(values.buffer);

interface Part extends Node {
  whole: Uint8Array;
  isOurs: boolean;
}

/**
 * Cosines and sines for each position and each element of a head, and the product that swaps the pairs: x cos +
 * swapped(x) sin.
 */
function rotation({ headSize, turning }: DecoderShape): Uint8Array[] {
  const cosines = new Float32Array(MOST_TOKENS * headSize).fill(1);
  const sines = new Float32Array(MOST_TOKENS * headSize);
  for (let position = 0; position < MOST_TOKENS; position++)
    for (let i = 0; i < turning; i++) {
      const angle = position * BASE ** ((-2 * Math.floor(i / 2)) / turning);
      cosines[position * headSize + i] = Math.cos(angle);
      sines[position * headSize + i] = Math.sin(angle);
    }
  const swap = new Float32Array(headSize * headSize);
  for (let i = 0; i < turning; i += 2) {
    swap[(i + 1) * headSize + i] = -1;
    swap[i * headSize + i + 1] = 1;
  }
  return [
    floatConstant(`${OWN}/cosines`, [MOST_TOKENS, headSize], bytesOf(cosines)),
    floatConstant(`${OWN}/sines`, [MOST_TOKENS, headSize], bytesOf(sines)),
    floatConstant(`${OWN}/swap`, [headSize, headSize], bytesOf(swap)),
  ];
}

/**
 * 1 / sqrt(head size), the scale of attention. The queries and the keys of the encoder's frames each get its square
 * root.
 */
const scaleOf = ({ headSize }: DecoderShape): number => 1 / Math.sqrt(headSize);
const constants = (shape: DecoderShape): Uint8Array[] => [
  ...rotation(shape),
  floatConstant(`${OWN}/scale`, [], bytesOf(Float32Array.of(scaleOf(shape)))),
  floatConstant(`${OWN}/root`, [], bytesOf(Float32Array.of(Math.sqrt(scaleOf(shape))))),
  intConstant(`${OWN}/heads`, [-1, shape.heads, 1, shape.headSize]),
  intConstant(`${OWN}/flat`, [-1, 1, shape.heads * shape.headSize]),
];

const step = (op: string, inputs: string[], output: string, ...attributes: Uint8Array[]): Uint8Array =>
  newNode({ op, name: `${OWN}/${output}`, inputs, outputs: [output] }, ...attributes);

/** Cosines and sines of the token's position, computed once for all layers. The ones for queries are scaled. */
const turns = (): Uint8Array[] => [
  step('Gather', [`${OWN}/cosines`, '/model/decoder/Range_output_0'], `${OWN}/k/cos`),
  step('Gather', [`${OWN}/sines`, '/model/decoder/Range_output_0'], `${OWN}/k/sin`),
  step('Mul', [`${OWN}/k/cos`, `${OWN}/scale`], `${OWN}/q/cos`),
  step('Mul', [`${OWN}/k/sin`, `${OWN}/scale`], `${OWN}/q/sin`),
];

/**
 * A layer's attention to the tokens so far, from its projections to its output. Keys and values are passed on to the
 * next token.
 */
function selfAttention(layer: number, own: string): Uint8Array[] {
  const at = (name: string) => `${OWN}/${layer}/${name}`;
  const present = (kind: string) => `present.${layer}.decoder.${kind}`;
  const past = (kind: string) => `past_key_values.${layer}.decoder.${kind}`;
  const turned = (x: 'q' | 'k') => [
    step('MatMul', [at(x), `${OWN}/swap`], at(`${x}/swapped`)),
    step('Mul', [at(x), `${OWN}/${x}/cos`], at(`${x}/cos`)),
    step('Mul', [at(`${x}/swapped`), `${OWN}/${x}/sin`], at(`${x}/sin`)),
    step('Add', [at(`${x}/cos`), at(`${x}/sin`)], at(`${x}/turned`)),
  ];
  return [
    ...['q', 'k', 'v'].map((x) => step('Reshape', [`${own}/${x}_proj/MatMul_output_0`, `${OWN}/heads`], at(x))),
    ...turned('q'),
    ...turned('k'),
    step('Concat', [past('key'), at('k/turned')], present('key'), intAttribute('axis', 2)),
    step('Concat', [past('value'), at('v')], present('value'), intAttribute('axis', 2)),
    step('Transpose', [present('key')], at('keys'), intsAttribute('perm', [0, 1, 3, 2])),
    step('MatMul', [at('q/turned'), at('keys')], at('scores')),
    step('Softmax', [at('scores')], at('weights'), intAttribute('axis', 3)),
    step('MatMul', [at('weights'), present('value')], at('mean')),
    step('Reshape', [at('mean'), `${OWN}/flat`], `${own}/Reshape_5_output_0`),
  ];
}

/** The nodes that replace those of the exported branch. */
function replacements({ layers }: DecoderShape): Map<string, Uint8Array[]> {
  const made = new Map<string, Uint8Array[]>();
  for (let layer = 0; layer < layers; layer++) {
    const own = `/model/decoder/layers.${layer}/self_attn`;
    const encoder = `/model/decoder/layers.${layer}/encoder_attn`;
    const queries = `${OWN}/${layer}/encoder/q`;
    made.set(`${own}/Reshape_5`, [...(layer === 0 ? turns() : []), ...selfAttention(layer, own)]);
    made.set(`${encoder}/Mul`, [
      step('Reshape', [`${encoder}/q_proj/MatMul_output_0`, `${OWN}/heads`], queries),
      step('Mul', [queries, `${OWN}/root`], `${encoder}/Mul_output_0`),
    ]);
    made.set(`${encoder}/Reshape_1`, [
      step('Reshape', [`${encoder}/MatMul_1_output_0`, `${OWN}/flat`], `${encoder}/Reshape_1_output_0`),
    ]);
  }
  return made;
}

/**
 * The branch for later tokens without its reshaping nodes. A single token needs no mask, shapes or transposes, so 617
 * of 1,098 nodes remain. It supports any number of rows of one token each.
 * @param graph the branch, with the keys of the encoder's frames already prepared
 * @throws RangeError when a node is not where it is expected
 */
export function withoutGlue(graph: Uint8Array, shape: DecoderShape): Uint8Array {
  const replaced = replacements(shape);
  const nodes: Part[] = [];
  const others: Uint8Array[] = [];
  const outputs: string[] = [];
  for (const { number, whole, content } of readFields(graph)) {
    if (number !== GRAPH_NODE) {
      others.push(whole);
      if (number === GRAPH_OUTPUT) outputs.push(nameOf(content));
      continue;
    }
    const node = readNode(content);
    const ours = replaced.get(node.name);
    replaced.delete(node.name);
    if (ours) for (const made of ours) nodes.push(ownPart(made));
    else nodes.push({ ...node, whole, isOurs: false });
  }
  if (replaced.size > 0) throw new RangeError(`the decoder has no ${[...replaced.keys()][0]}`);
  return Buffer.concat([...needed(nodes, outputs).map(({ whole }) => whole), ...others, ...constants(shape)]);
}

function ownPart(made: Uint8Array): Part {
  const { content } = readFields(made).next().value!;
  return { ...readNode(content), whole: made, isOurs: true };
}

/** The nodes that the outputs depend on, in order. If two produce the same tensor, ours is taken. */
function needed(nodes: Part[], outputs: string[]): Part[] {
  const ours = new Set(nodes.filter(({ isOurs }) => isOurs).flatMap((node) => node.outputs));
  const left = nodes.filter((node) => node.isOurs || !node.outputs.some((output) => ours.has(output)));
  const makers = new Map(left.flatMap((node) => node.outputs.map((output) => [output, node] as const)));
  const kept = new Set<Part>();
  const asked = [...outputs];
  for (let name = asked.pop(); name !== undefined; name = asked.pop()) {
    const maker = makers.get(name);
    if (!maker || kept.has(maker)) continue;
    kept.add(maker);
    asked.push(...maker.inputs);
  }
  return left.filter((node) => kept.has(node));
}
