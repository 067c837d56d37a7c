import {
  floatAttribute,
  floatConstant,
  floatTensor,
  GRAPH_INPUT,
  GRAPH_OUTPUT,
  intAttribute,
  intConstant,
  intsAttribute,
  newModel,
  newNode,
} from './onnx.ts';

/** A tensor of the stored model: little-endian 32-bit floats. */
export interface StoredTensor {
  shape: number[];
  bytes: Uint8Array;
}

/** The operator set: the first with LayerNormalization. */
const OPERATORS = 17;
/** Under the root of a layer's normalisation, as trained. */
const EPSILON = 1e-6;
const HEADS = 4;
export const GRAPH_FROM = 'embedded';
export const GRAPH_TO = 'encoding';
export const GRAPH_STATES = 'states';

/** Names in the stored model. */
const STACK = 'module_apply_default/Encoder_en/KonaTransformer/Encode';
const KERNELS = 'module/Encoder_en/KonaTransformer/Encode';
const CONCAT = 'ConcatPartitions/concat';
const HIDDEN = 'module/Encoder_en/hidden_layers/tanh_layer_0';

/**
 * The Universal Sentence Encoder lite's two transformer layers (Cer et al. 2018, arXiv:1803.11175) as an ONNX graph:
 * `embedded` [tokens, 256] to `states` [tokens, 512], what the second layer says of each token, and `encoding` [1, 512] of
 * length 1. Each layer normalises first; the mean over the tokens goes through one layer of tanh.
 * @param stored the stored model's tensor of a name
 */
export function sentenceGraph(stored: (name: string) => StoredTensor): Uint8Array {
  const parts: Uint8Array[] = [
    floatTensor(GRAPH_INPUT, GRAPH_FROM),
    floatTensor(GRAPH_OUTPUT, GRAPH_TO),
    floatTensor(GRAPH_OUTPUT, GRAPH_STATES),
  ];
  let count = 0;
  const outputs = (op: string, inputs: string[], number: number, ...attributes: Uint8Array[]): string[] => {
    const name = `${op}_${count++}`;
    const made = Array.from({ length: number }, (_, i) => `${name}/${i}`);
    parts.push(newNode({ op, name, inputs, outputs: made }, ...attributes));
    return made;
  };
  const step = (op: string, inputs: string[], ...attributes: Uint8Array[]): string =>
    outputs(op, inputs, 1, ...attributes)[0]!;
  const constant = (name: string): string => {
    const { shape, bytes } = stored(name);
    // The kernel of a one by one convolution is a matrix.
    parts.push(floatConstant(name, shape.length === 4 ? shape.slice(2) : shape, bytes));
    return name;
  };
  const integers = (...values: number[]): string => {
    const name = `integers_${count++}`;
    parts.push(intConstant(name, values));
    return name;
  };
  const transposed = (x: string, ...axes: number[]) => step('Transpose', [x], intsAttribute('perm', axes));
  const linear = (x: string, weight: string, bias: string): string =>
    step('Add', [step('MatMul', [x, constant(weight)]), constant(bias)]);
  const normalised = (x: string, scope: string): string => {
    const name = (part: string) => constant(`${scope}/layer_prepostprocess/layer_norm/layer_norm_${part}/${CONCAT}`);
    return step('LayerNormalization', [x, name('scale'), name('bias')], floatAttribute('epsilon', EPSILON));
  };

  /** Multi-head attention: all heads of query, key and value come of one product. */
  const attention = (x: string, layer: string): string => {
    const scope = `${layer}/TransformerLayer/MultiheadAttention`;
    const kernel = (transform: string) => `${KERNELS}/${scope}/${transform}/kernel/part_0`;
    const product = (x: string, transform: string) =>
      linear(x, kernel(transform), `${STACK}/${scope}/${transform}/bias/${CONCAT}`);
    const width = stored(kernel('output_transform_single')).shape[2]!;
    const split = step('Reshape', [product(x, 'qkv_transform_single'), integers(0, 3, HEADS, width / HEADS)]);
    const [query, key, value] = outputs('Split', [transposed(split, 1, 2, 0, 3)], 3, intAttribute('axis', 0));
    const scaled = step('Mul', [query!, constant(`${STACK}/TransformerStack/${scope}/mul/y`)]);
    const weights = step('Softmax', [step('MatMul', [scaled, transposed(key!, 0, 1, 3, 2)])], intAttribute('axis', 3));
    const heard = transposed(step('MatMul', [weights, value!]), 2, 0, 1, 3);
    return product(step('Reshape', [heard, integers(0, width)]), 'output_transform_single');
  };
  const feedForward = (x: string, layer: string): string => {
    const scope = `${layer}/TransformerLayer/FFN`;
    const product = (x: string, conv: string) =>
      linear(
        x,
        `${STACK}/TransformerStack/${scope}/${conv}/Tensordot/Reshape_1`,
        `${STACK}/${scope}/${conv}/bias/${CONCAT}`,
      );
    return product(step('Relu', [product(normalised(x, `${STACK}/${scope}`), 'conv1')]), 'conv2');
  };
  /** @param passed what the attention is added to */
  const transformer = (x: string, passed: string, layer: string): string => {
    const attended = step('Add', [attention(normalised(x, `${STACK}/${layer}/TransformerLayer`), layer), passed]);
    return step('Add', [feedForward(attended, layer), attended]);
  };

  const dense = `${STACK}/Layer_0/TransformerLayer/dense`;
  const widened = linear(GRAPH_FROM, `${dense}/kernel/${CONCAT}`, `${dense}/bias/${CONCAT}`);
  const first = transformer(GRAPH_FROM, widened, 'Layer_0');
  const second = transformer(first, first, 'Layer_1');
  const mean = step('ReduceMean', [second], intsAttribute('axes', [0]));
  const hidden = step('Tanh', [linear(mean, `${HIDDEN}/weights`, `${HIDDEN}/bias`)]);
  const length = step('ReduceL2', [hidden], intsAttribute('axes', [1]));
  parts.push(newNode({ op: 'Identity', name: 'told', inputs: [second], outputs: [GRAPH_STATES] }));
  parts.push(newNode({ op: 'Div', name: 'unit', inputs: [hidden, length], outputs: [GRAPH_TO] }));
  return newModel(OPERATORS, 'sentence-encoder', parts);
}
