import { GraphBuilder } from './graph-builder.ts';
import { intAttribute, intsAttribute } from './onnx.ts';
import type { StoredTensor } from './tfjs-weights.ts';

/** Epsilon under the root of a layer's normalisation, as used in training. */
const EPSILON = 1e-6;
const HEADS = 4;
export const GRAPH_FROM = 'embedded';
export const GRAPH_TO = 'encoding';
export const GRAPH_STATES = 'states';

/** Tensor names in the stored model. */
const STACK = 'module_apply_default/Encoder_en/KonaTransformer/Encode';
const KERNELS = 'module/Encoder_en/KonaTransformer/Encode';
const CONCAT = 'ConcatPartitions/concat';
const HIDDEN = 'module/Encoder_en/hidden_layers/tanh_layer_0';

/**
 * The Universal Sentence Encoder lite's two transformer layers (Cer et al. 2018, arXiv:1803.11175) as an ONNX graph:
 * `embedded` [tokens, 256] to `states` [tokens, 512], the second layer's output for each token, and `encoding` [1, 512]
 * of length 1. Each layer normalises first. The mean over the tokens passes through one tanh layer.
 * @param stored returns the stored model's tensor with a given name
 */
export function sentenceGraph(stored: (name: string) => StoredTensor): Uint8Array {
  const graph = new GraphBuilder();
  const constant = (name: string): string => {
    const { shape, bytes } = stored(name);
    // The kernel of a 1x1 convolution is a matrix.
    return graph.constant(name, { shape: shape.length === 4 ? shape.slice(2) : shape, bytes });
  };
  const linear = (x: string, weight: string, bias: string): string => graph.linear(x, constant(weight), constant(bias));
  const normalised = (x: string, scope: string): string => {
    const name = (part: string) => constant(`${scope}/layer_prepostprocess/layer_norm/layer_norm_${part}/${CONCAT}`);
    return graph.normalised(x, name('scale'), name('bias'), EPSILON);
  };

  /** Multi-head attention. A single product computes all heads of query, key and value. */
  const attention = (x: string, layer: string): string => {
    const scope = `${layer}/TransformerLayer/MultiheadAttention`;
    const kernel = (transform: string) => `${KERNELS}/${scope}/${transform}/kernel/part_0`;
    const product = (x: string, transform: string) =>
      linear(x, kernel(transform), `${STACK}/${scope}/${transform}/bias/${CONCAT}`);
    const width = stored(kernel('output_transform_single')).shape[2]!;
    const split = graph.reshaped(product(x, 'qkv_transform_single'), 0, 3, HEADS, width / HEADS);
    const [query, key, value] = graph.steps('Split', [graph.transposed(split, 1, 2, 0, 3)], 3, intAttribute('axis', 0));
    const scaled = graph.step('Mul', [query!, constant(`${STACK}/TransformerStack/${scope}/mul/y`)]);
    const products = graph.step('MatMul', [scaled, graph.transposed(key!, 0, 1, 3, 2)]);
    const weights = graph.step('Softmax', [products], intAttribute('axis', 3));
    const attended = graph.transposed(graph.step('MatMul', [weights, value!]), 2, 0, 1, 3);
    return product(graph.reshaped(attended, 0, width), 'output_transform_single');
  };
  const feedForward = (x: string, layer: string): string => {
    const scope = `${layer}/TransformerLayer/FFN`;
    const product = (x: string, conv: string) =>
      linear(
        x,
        `${STACK}/TransformerStack/${scope}/${conv}/Tensordot/Reshape_1`,
        `${STACK}/${scope}/${conv}/bias/${CONCAT}`,
      );
    return product(graph.step('Relu', [product(normalised(x, `${STACK}/${scope}`), 'conv1')]), 'conv2');
  };
  /** @param passed the values that the attention is added to */
  const transformer = (x: string, passed: string, layer: string): string => {
    const attended = graph.step('Add', [attention(normalised(x, `${STACK}/${layer}/TransformerLayer`), layer), passed]);
    return graph.step('Add', [feedForward(attended, layer), attended]);
  };

  const dense = `${STACK}/Layer_0/TransformerLayer/dense`;
  const embedded = graph.input(GRAPH_FROM);
  const widened = linear(embedded, `${dense}/kernel/${CONCAT}`, `${dense}/bias/${CONCAT}`);
  const first = transformer(embedded, widened, 'Layer_0');
  const second = transformer(first, first, 'Layer_1');
  const mean = graph.step('ReduceMean', [second], intsAttribute('axes', [0]));
  const hidden = graph.step('Tanh', [linear(mean, `${HIDDEN}/weights`, `${HIDDEN}/bias`)]);
  const length = graph.step('ReduceL2', [hidden], intsAttribute('axes', [1]));
  graph.output(GRAPH_STATES, second);
  graph.output(GRAPH_TO, graph.step('Div', [hidden, length]));
  return graph.model('sentence-encoder');
}
