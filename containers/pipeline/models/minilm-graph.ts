import { GraphBuilder } from './graph-builder.ts';
import { intAttribute } from './onnx.ts';
import type { StoredTensor } from './tfjs-weights.ts';

export const MINILM_FROM = 'embedded';
export const MINILM_TO = 'states';

/** Under the root of a layer's normalisation, as trained. */
const EPSILON = 1e-12;
const HEADS = 12;

/** Names in the stored model. */
const BERT = 'StatefulPartitionedCall/model/tf_bert_model/bert';
const EMBEDDING_NORM = 'embeddings/LayerNorm';
const MATRIX = 'Tensordot/ReadVariableOp';
const BIAS = 'BiasAdd/ReadVariableOp';
const SCALE = 'batchnorm/mul/ReadVariableOp';
const SHIFT = 'batchnorm/ReadVariableOp';

/** Of the numbers that come out. */
const SPREAD = 2;

const layerScope = (layer: number): string => `${BERT}/encoder/layer_._${layer}`;

/**
 * The first layers of MiniLM (Wang et al. 2020, arXiv:2002.10957), a BERT of 384 numbers a piece, as an ONNX graph:
 * `embedded` [pieces, 384], before its normalisation, to `states` [pieces, 384] after so many layers. The last
 * normalisation goes without what it learned: its scales would hide most numbers of a state behind a few.
 * @param stored the stored model's tensor of a name
 */
export function minilmGraph(stored: (name: string) => StoredTensor, layers: number): Uint8Array {
  const graph = new GraphBuilder();
  const constant = (name: string): string => graph.constant(name, stored(name));
  const width = stored(`${BERT}/${EMBEDDING_NORM}/${SHIFT}`).shape[0]!;
  const scaling = graph.number(1 / Math.sqrt(width / HEADS));
  const normalised = (x: string, scope: string): string =>
    graph.normalised(x, constant(`${scope}/${SCALE}`), constant(`${scope}/${SHIFT}`), EPSILON);
  const linear = (x: string, scope: string): string =>
    graph.linear(x, constant(`${scope}/${MATRIX}`), constant(`${scope}/${BIAS}`));
  const sum = (x: string, y: string): string => graph.step('Add', [x, y]);
  /** The Gaussian error linear unit (Hendrycks & Gimpel 2016, arXiv:1606.08415). */
  const gelu = (x: string): string => {
    const error = graph.step('Erf', [graph.step('Mul', [x, graph.number(Math.SQRT1_2)])]);
    const half = graph.step('Mul', [x, graph.number(0.5)]);
    return graph.step('Mul', [half, sum(error, graph.number(1))]);
  };
  const attention = (x: string, scope: string): string => {
    const heads = (part: string, ...axes: number[]): string =>
      graph.transposed(graph.reshaped(linear(x, `${scope}/self/${part}`), 0, HEADS, width / HEADS), ...axes);
    const products = graph.step('MatMul', [heads('query', 1, 0, 2), heads('key', 1, 2, 0)]);
    const weights = graph.step('Softmax', [graph.step('Mul', [products, scaling])], intAttribute('axis', 2));
    const heard = graph.transposed(graph.step('MatMul', [weights, heads('value', 1, 0, 2)]), 1, 0, 2);
    return linear(graph.reshaped(heard, 0, width), `${scope}/output/dense`);
  };

  let read = graph.input(MINILM_FROM);
  for (let layer = 0; layer < layers; layer++) {
    const states = normalised(
      read,
      layer === 0 ? `${BERT}/${EMBEDDING_NORM}` : `${layerScope(layer - 1)}/output/LayerNorm`,
    );
    const scope = layerScope(layer);
    const heard = sum(states, attention(states, `${scope}/attention`));
    const attended = normalised(heard, `${scope}/attention/output/LayerNorm`);
    read = sum(attended, linear(gelu(linear(attended, `${scope}/intermediate/dense`)), `${scope}/output/dense`));
  }
  const level = (name: string, value: number): string =>
    graph.constant(name, { shape: [width], bytes: new Uint8Array(new Float32Array(width).fill(value).buffer) });
  graph.output(MINILM_TO, graph.normalised(read, level('spread', SPREAD), level('centre', 0), EPSILON));
  return graph.model('minilm');
}
