import { field, floatField, numberField, readFields } from './protobuf.ts';

/** Field numbers of ONNX's messages (onnx.proto). */
export const MODEL_GRAPH = 7;
export const GRAPH_NODE = 1;
export const GRAPH_INPUT = 11;
export const GRAPH_OUTPUT = 12;
export const NODE = { input: 1, output: 2, name: 3, op: 4, attribute: 5 };
export const ATTRIBUTE = { name: 1, float: 2, int: 3, tensor: 5, graph: 6, ints: 8, type: 20 };
/** Format version of the models that are written (ONNX 1.10 to 1.12). */
const IR_VERSION = 8;
const MODEL_IR_VERSION = 1;
const MODEL_OPERATORS = 8;
const OPERATORS_VERSION = 2;
const GRAPH_NAME = 2;
const GRAPH_TENSOR = 5;
const TENSOR = { dimension: 1, type: 2, name: 8, bytes: 9 };
/** Attribute types. */
const KIND_FLOAT = 1;
const KIND_INT = 2;
const KIND_INTS = 7;
/** Element types. */
export const FLOAT = 1;
const INT64 = 7;

export interface Node {
  op: string;
  name: string;
  inputs: string[];
  outputs: string[];
}

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** @throws RangeError when the bytes are not a well-formed message */
export function readNode(message: Uint8Array): Node {
  const node: Node = { op: '', name: '', inputs: [], outputs: [] };
  for (const { number, content } of readFields(message)) {
    if (number === NODE.input) node.inputs.push(text(content));
    else if (number === NODE.output) node.outputs.push(text(content));
    else if (number === NODE.name) node.name = text(content);
    else if (number === NODE.op) node.op = text(content);
  }
  return node;
}

/** The name of a graph's input or output. */
export const nameOf = (value: Uint8Array): string => {
  for (const { number, content } of readFields(value)) if (number === 1) return text(content);
  return '';
};

export const newNode = ({ op, name, inputs, outputs }: Node, ...attributes: Uint8Array[]): Uint8Array =>
  field(
    GRAPH_NODE,
    ...inputs.map((input) => field(NODE.input, input)),
    ...outputs.map((output) => field(NODE.output, output)),
    field(NODE.name, name),
    field(NODE.op, op),
    ...attributes,
  );

/**
 * The floats of the constants in a model's graph and in the branches of its nodes, by the name of their output.
 * @throws RangeError when the bytes are not a well-formed message
 */
export function floatConstantsOf(model: Uint8Array): Map<string, Float32Array> {
  const found = new Map<string, Float32Array>();
  const readGraph = (graph: Uint8Array): void => {
    for (const { number, content } of readFields(graph)) {
      if (number !== GRAPH_NODE) continue;
      const [output = ''] = readNode(content).outputs;
      for (const part of readFields(content)) {
        if (part.number !== NODE.attribute) continue;
        for (const value of readFields(part.content)) {
          if (value.number === ATTRIBUTE.graph) readGraph(value.content);
          else if (value.number === ATTRIBUTE.tensor)
            for (const { number, content: bytes } of readFields(value.content))
              if (number === TENSOR.bytes && bytes.length % 4 === 0)
                found.set(output, new Float32Array(Uint8Array.from(bytes).buffer));
        }
      }
    }
  };
  for (const { number, content } of readFields(model)) if (number === MODEL_GRAPH) readGraph(content);
  return found;
}

const attribute = (name: string, kind: number, ...values: Uint8Array[]): Uint8Array =>
  field(NODE.attribute, field(ATTRIBUTE.name, name), ...values, numberField(ATTRIBUTE.type, kind));

export const intAttribute = (name: string, value: number): Uint8Array =>
  attribute(name, KIND_INT, numberField(ATTRIBUTE.int, value));

export const floatAttribute = (name: string, value: number): Uint8Array =>
  attribute(name, KIND_FLOAT, floatField(ATTRIBUTE.float, value));

/** @param values each at least 0 */
export const intsAttribute = (name: string, values: number[]): Uint8Array =>
  attribute(name, KIND_INTS, ...values.map((value) => numberField(ATTRIBUTE.ints, value)));

const anyShape = (end: number, name: string, type: number): Uint8Array =>
  field(end, field(1, name), field(2, field(1, numberField(1, type))));

/** An input or output of a graph: a float tensor of any shape. */
export const floatTensor = (end: number, name: string): Uint8Array => anyShape(end, name, FLOAT);

/** The same for a tensor of 64-bit integers. */
export const intTensor = (end: number, name: string): Uint8Array => anyShape(end, name, INT64);

const tensor = (type: number, name: string, shape: number[], bytes: Uint8Array): Uint8Array =>
  field(
    GRAPH_TENSOR,
    ...shape.map((size) => numberField(TENSOR.dimension, size)),
    numberField(TENSOR.type, type),
    field(TENSOR.name, name),
    field(TENSOR.bytes, bytes),
  );

/** A constant of a graph. @param bytes of 32-bit floats, little-endian, row by row */
export const floatConstant = (name: string, shape: number[], bytes: Uint8Array): Uint8Array =>
  tensor(FLOAT, name, shape, bytes);

export const intConstant = (name: string, values: number[]): Uint8Array =>
  tensor(INT64, name, [values.length], new Uint8Array(BigInt64Array.from(values, BigInt).buffer));

/**
 * A complete model.
 * @param operators version of the operator set
 * @param parts of the graph: nodes in order, constants, inputs and outputs
 */
export const newModel = (operators: number, name: string, parts: Uint8Array[]): Uint8Array =>
  Buffer.concat([
    numberField(MODEL_IR_VERSION, IR_VERSION),
    field(MODEL_GRAPH, ...parts, field(GRAPH_NAME, name)),
    field(MODEL_OPERATORS, numberField(OPERATORS_VERSION, operators)),
  ]);
