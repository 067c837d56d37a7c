import { openApiDocument } from '../../src/openapi/document.ts';
import { type DescribedOperation, operationsOf, Reader } from '../../support/openapi/reader.ts';

const document = openApiDocument();
const operations = operationsOf(document);

/** The service's description of itself. */
export const reader = new Reader(document);

/** @param route in the form used in `contract/access.ts`; a test of the document ensures that each is described */
export function describedAs(route: string): DescribedOperation {
  const spelled = route.replaceAll(/:(\w+)/g, '{$1}');
  const described = operations.find(({ method, path }) => `${method} ${path}` === spelled);
  if (!described) throw new Error(`${route} is not described`);
  return described;
}
