import {
  ATTRIBUTE,
  FLOAT,
  floatTensor,
  GRAPH_INPUT,
  GRAPH_NODE,
  GRAPH_OUTPUT,
  intAttribute,
  intConstant,
  intTensor,
  MODEL_GRAPH,
  NODE,
  type Node,
  nameOf,
  newNode,
  readNode,
} from '../../models/onnx.ts';
import { type Field, field, readFields } from '../../models/protobuf.ts';
import { withoutGlue } from './later-tokens.ts';
import { alignmentLayers, type DecoderShape, TINY } from './shape.ts';

export const attentionOutput = (layer: number): string => `cross_attentions.${layer}`;

/** Tensor names in Moonshine's exported decoders. */
const EMBEDDING = 'model.decoder.embed_tokens.weight';
const HEAD_DEQUANTIZE = `${EMBEDDING}_transposed_DequantizeLinear`;
const HEAD_WEIGHT = `${EMBEDDING}_transposed_quantized`;
/** The branch without a cache. */
const FIRST_BRANCH = 'else_branch';
const HEAD_MATMUL = '/proj_out/MatMul';
const layersOf = ({ layers }: DecoderShape): number[] => Array.from({ length: layers }, (_, layer) => layer);
const attentionTensor = (layer: number) => `/model/decoder/layers.${layer}/encoder_attn/Softmax_output_0`;

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/**
 * The keys of the encoder's frames are scaled and transposed once, in the first step, instead of at every token (a
 * quarter of the decoder's time for ten seconds of audio). `present.N.encoder.key` is [1, heads, size, frames].
 */
const keyCache = (layer: number) => `present.${layer}.encoder.key`;
const pastKey = (layer: number) => `past_key_values.${layer}.encoder.key`;
const isKeyTensor = (name: string): boolean => /^(present|past_key_values)\.\d+\.encoder\.key$/.test(name);

/** Changes to a branch's nodes: those to leave out, and tensors to rename. */
interface Changes {
  dropped: Set<string>;
  renamed: Map<string, string>;
}

/**
 * @param first whether this is the branch of the first token, which computes the keys that the other branch reads.
 */
function keyChanges(first: boolean, shape: DecoderShape): Changes {
  const attention = (layer: number, node: string) => `/model/decoder/layers.${layer}/encoder_attn/${node}`;
  const needless = first ? ['Transpose'] : ['Transpose_1', 'Mul_1'];
  const layers = layersOf(shape);
  return {
    dropped: new Set([HEAD_DEQUANTIZE, ...layers.flatMap((layer) => needless.map((node) => attention(layer, node)))]),
    renamed: new Map(
      layers.map((layer) => [attention(layer, 'Mul_1_output_0'), first ? keyCache(layer) : pastKey(layer)]),
    ),
  };
}

/** A node with its inputs and outputs renamed. */
const renamedNode = (node: Uint8Array, renamed: Map<string, string>): Uint8Array =>
  field(
    GRAPH_NODE,
    ...[...readFields(node)].map(({ number, whole, content }) => {
      const name = number === NODE.input || number === NODE.output ? renamed.get(text(content)) : undefined;
      return name === undefined ? whole : field(number, name);
    }),
  );

/** An input or output, unchanged except for the shape of the keys. */
const reshaped = ({ number, whole, content }: Field): Uint8Array =>
  (number === GRAPH_INPUT || number === GRAPH_OUTPUT) && isKeyTensor(nameOf(content))
    ? floatTensor(number, nameOf(content))
    : whole;

/**
 * The head's product in int8: x is quantised row by row, multiplied by the stored int8 weight, and scaled back. The
 * shipped graph instead converts the 32768 x 288 weight to floats at every token, which takes 40 % of the decoder's
 * time.
 */
function quantizedHead(matmul: Node, branch: string): Uint8Array[] {
  const id = (part: string) => `int8_head/${branch}/${part}`;
  const step = (op: string, inputs: string[], outputs: string[], ...attributes: Uint8Array[]) =>
    newNode({ op, name: id(op + outputs[0]), inputs, outputs }, ...attributes);
  const weight = `${EMBEDDING}_merged_0`;
  return [
    step('DynamicQuantizeLinear', [matmul.inputs[0]!], [id('x'), id('x_scale'), id('x_zero')]),
    step('MatMulInteger', [id('x'), HEAD_WEIGHT, id('x_zero'), `${weight}_zero_point`], [id('product')]),
    step('Cast', [id('product')], [id('float')], intAttribute('to', FLOAT)),
    step('Mul', [id('x_scale'), `${weight}_scale`], [id('scale')]),
    step('Mul', [id('float'), id('scale')], [matmul.outputs[0]!]),
  ];
}

function splicedBranch(graph: Uint8Array, branch: string, shape: DecoderShape): Uint8Array {
  const parts: Uint8Array[] = [];
  const seen = new Set<string>();
  const { dropped, renamed } = keyChanges(branch === FIRST_BRANCH, shape);
  for (const part of readFields(graph)) {
    const node = part.number === GRAPH_NODE ? readNode(part.content) : undefined;
    for (const name of [node?.name, ...(node?.outputs ?? [])]) if (name) seen.add(name);
    if (node && dropped.has(node.name)) continue;
    if (node?.name === HEAD_MATMUL) parts.push(...quantizedHead(node, branch));
    else parts.push(node ? renamedNode(part.content, renamed) : reshaped(part));
  }
  for (const name of [HEAD_MATMUL, ...dropped, ...renamed.keys(), ...alignmentLayers(shape).map(attentionTensor)])
    if (!seen.has(name)) throw new RangeError(`the decoder's ${branch} has no ${name}`);
  for (const layer of alignmentLayers(shape)) {
    const output = `attention/${branch}/${layer}`;
    parts.push(newNode({ op: 'Identity', name: output, inputs: [attentionTensor(layer)], outputs: [`${output}/out`] }));
    parts.push(floatTensor(GRAPH_OUTPUT, `${output}/out`));
  }
  const branchGraph = Buffer.concat(parts);
  return field(ATTRIBUTE.graph, branch === FIRST_BRANCH ? branchGraph : withoutGlue(branchGraph, shape));
}

/**
 * The most likely tokens, chosen inside the graph. Choosing among 32,768 numbers in JavaScript takes .5 to .7 ms per
 * token. `log_probabilities` has those of all tokens, [rows, 1, 32768].
 */
export const TOP = { tokens: 16, ids: 'top_ids', logProbabilities: 'top_log_probabilities', all: 'log_probabilities' };
const topTokens = (): Uint8Array[] => {
  const lastAxis = intAttribute('axis', 2);
  const step = (op: string, inputs: string[], outputs: string[]) =>
    newNode({ op, name: `top/${op}`, inputs, outputs }, lastAxis);
  return [
    intConstant('top/count', [TOP.tokens]),
    step('LogSoftmax', ['logits'], [TOP.all]),
    step('TopK', [TOP.all, 'top/count'], [TOP.logProbabilities, TOP.ids]),
    floatTensor(GRAPH_OUTPUT, TOP.all),
    floatTensor(GRAPH_OUTPUT, TOP.logProbabilities),
    intTensor(GRAPH_OUTPUT, TOP.ids),
  ];
};

function splicedAttribute(attribute: Uint8Array, shape: DecoderShape): Uint8Array {
  const fields = [...readFields(attribute)];
  const name = text(fields.find(({ number }) => number === ATTRIBUTE.name)?.content ?? new Uint8Array());
  const spliced = ({ number, whole, content }: Field) =>
    number === ATTRIBUTE.graph ? splicedBranch(content, name, shape) : whole;
  return field(NODE.attribute, ...fields.map(spliced));
}

/**
 * Moonshine's merged decoder (one `If` with a branch for the first token and one for later tokens with a cache),
 * changed in memory. The language-model head stays int8, the encoder's keys are prepared once, and later tokens run
 * without reshaping nodes. The cross-attentions of `alignmentLayers` (`cross_attentions.N`, [rows, heads, 1, frames])
 * and the most likely tokens become outputs.
 * @throws RangeError when the graph is not the expected one.
 */
export function spliceDecoder(model: Uint8Array, shape = TINY): Uint8Array {
  let branchings = 0;
  const spliceNode = (content: Uint8Array): Uint8Array => {
    branchings++;
    const fields = [...readFields(content)];
    return field(
      GRAPH_NODE,
      ...fields.map(({ number, whole, content }) =>
        number === NODE.attribute ? splicedAttribute(content, shape) : whole,
      ),
      ...alignmentLayers(shape).map((layer) => field(NODE.output, attentionOutput(layer))),
    );
  };
  const spliceGraph = (graph: Uint8Array): Uint8Array =>
    field(
      MODEL_GRAPH,
      ...[...readFields(graph)].map((part) =>
        part.number === GRAPH_NODE && readNode(part.content).op === 'If' ? spliceNode(part.content) : reshaped(part),
      ),
      ...alignmentLayers(shape).map((layer) => floatTensor(GRAPH_OUTPUT, attentionOutput(layer))),
      ...topTokens(),
    );
  const spliced = [...readFields(model)].map(({ number, whole, content }) =>
    number === MODEL_GRAPH ? spliceGraph(content) : whole,
  );
  if (branchings !== 1) throw new RangeError(`the decoder has ${branchings} If nodes; expected 1`);
  return Buffer.concat(spliced);
}
