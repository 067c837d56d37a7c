import {
  floatAttribute,
  floatConstant,
  floatTensor,
  GRAPH_INPUT,
  GRAPH_OUTPUT,
  intConstant,
  intsAttribute,
  newModel,
  newNode,
} from './onnx.ts';
import type { StoredTensor } from './tfjs-weights.ts';

/** The operator set. It is the first one with LayerNormalization. */
const OPERATORS = 17;

/** Builds an ONNX graph step by step. Each step returns the name of its result for later steps. */
export class GraphBuilder {
  readonly #parts: Uint8Array[] = [];
  readonly #constants = new Set<string>();
  #count = 0;

  /** An input of the graph: a float tensor of any shape. */
  input(name: string): string {
    this.#parts.push(floatTensor(GRAPH_INPUT, name));
    return name;
  }

  /** Makes an intermediate result an output with this name. */
  output(name: string, made: string): void {
    this.#parts.push(floatTensor(GRAPH_OUTPUT, name));
    this.#parts.push(newNode({ op: 'Identity', name: `${name}/output`, inputs: [made], outputs: [name] }));
  }

  /** One operation with a single result. */
  step(op: string, inputs: string[], ...attributes: Uint8Array[]): string {
    return this.steps(op, inputs, 1, ...attributes)[0]!;
  }

  /** One operation with several results. */
  steps(op: string, inputs: string[], number: number, ...attributes: Uint8Array[]): string[] {
    const name = `${op}_${this.#count++}`;
    const outputs = Array.from({ length: number }, (_, i) => `${name}/${i}`);
    this.#parts.push(newNode({ op, name, inputs, outputs }, ...attributes));
    return outputs;
  }

  /** A constant. A later request with the same name returns the same one. */
  constant(name: string, { shape, bytes }: StoredTensor): string {
    if (!this.#constants.has(name)) this.#parts.push(floatConstant(name, shape, bytes));
    this.#constants.add(name);
    return name;
  }

  number(value: number): string {
    return this.constant(`number_${value}`, { shape: [], bytes: new Uint8Array(Float32Array.of(value).buffer) });
  }

  integers(...values: number[]): string {
    const name = `integers_${this.#count++}`;
    this.#parts.push(intConstant(name, values));
    return name;
  }

  transposed(x: string, ...axes: number[]): string {
    return this.step('Transpose', [x], intsAttribute('perm', axes));
  }

  reshaped(x: string, ...shape: number[]): string {
    return this.step('Reshape', [x, this.integers(...shape)]);
  }

  linear(x: string, weight: string, bias: string): string {
    return this.step('Add', [this.step('MatMul', [x, weight]), bias]);
  }

  /** Normalises over the last dimension (Ba et al. 2016, arXiv:1607.06450). */
  normalised(x: string, scale: string, shift: string, epsilon: number): string {
    return this.step('LayerNormalization', [x, scale, shift], floatAttribute('epsilon', epsilon));
  }

  /** The whole model. */
  model(name: string): Uint8Array {
    return newModel(OPERATORS, name, this.#parts);
  }
}
