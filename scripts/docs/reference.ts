import { TAGS } from '../../src/openapi/operation.ts';

// The API reference as Markdown, generated from the OpenAPI document and rendered like every other page.

/** The OpenAPI document as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: an untyped document
type Json = any;

/** Most lines of an example. Longer ones are cut off. */
const MOST_EXAMPLE_LINES = 60;

const pageName = (tag: string): string => `api-${tag}`;
const schemaLink = (name: string): string => `[${name}](schemas#${name.toLowerCase()})`;
const nameOf = (ref: string): string => ref.split('/').at(-1)!;

/** Every page of the API reference. */
export function referencePages(document: Json): { name: string; title: string; markdown: string }[] {
  const tags = Object.entries(TAGS).map(([tag, about]) => {
    const title = about.split(':')[0]!.split(',')[0]!;
    return { name: pageName(tag), title, markdown: tagPage(document, tag, title, about) };
  });
  return [...tags, { name: 'schemas', title: 'Schemas', markdown: schemasPage(document) }];
}

function tagPage(document: Json, tag: string, title: string, about: string): string {
  const operations = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item)
      .filter(([, operation]) => operation.tags.includes(tag))
      .map(([method, operation]) => operationSection(document, method.toUpperCase(), path, operation)),
  );
  const note = `Generated from [/openapi.json](/openapi.json). [Errors and retries](errors) explains errors.`;
  return [`# ${title}`, about, note, ...operations].join('\n\n');
}

function operationSection(document: Json, method: string, path: string, operation: Json): string {
  const at = (value: Json): Json => (value?.$ref ? resolve(document, value.$ref) : value);
  const parts = [`## ${operation.summary}`, `\`\`\`http\n${method} ${path}\n\`\`\``, operation.description];
  const parameters: Json[] = (operation.parameters ?? []).map(at);
  if (parameters.length > 0) {
    parts.push(
      table(
        ['parameter', 'in', 'type', ''],
        parameters.map(({ name, in: where, schema, description = '', required }) => [
          `\`${name}\`${required ? '' : ' (optional)'}`,
          where,
          typeOf(schema),
          withBounds(description, schema),
        ]),
      ),
    );
  }
  if (operation.requestBody) {
    const { content, required } = operation.requestBody;
    parts.push(`### Body of ${method} ${path}${required ? '' : ' (optional)'}`);
    for (const [type, { schema, example }] of Object.entries<Json>(content)) {
      parts.push(`\`${type}\`: ${typeOf(schema)}`);
      const fields = fieldsTable(document, schema);
      if (fields !== undefined) parts.push(fields);
      if (example !== undefined) parts.push(exampleBlock(example));
    }
  }
  parts.push(`### Answers of ${method} ${path}`);
  const rows: string[][] = [];
  for (const [status, response] of Object.entries<Json>(operation.responses)) {
    const types = Object.entries<Json>(response.content ?? {}).map(([type, { schema }]) =>
      Number(status) >= 400 ? '' : `\`${type}\` ${typeOf(schema)}`,
    );
    rows.push([`**${status}**`, response.description, types.filter(Boolean).join('<br>')]);
  }
  parts.push(table(['status', '', 'body'], rows));
  const good = Object.entries<Json>(operation.responses).find(([status]) => Number(status) < 300)?.[1];
  for (const [type, { example }] of Object.entries<Json>(good?.content ?? {}))
    if (example !== undefined) parts.push(`Example, \`${type}\`:`, exampleBlock(example));
  return parts.join('\n\n');
}

function schemasPage(document: Json): string {
  const sections = Object.entries<Json>(document.components.schemas).map(([name, schema]) => {
    const parts = [`## ${name}`];
    if (schema.description) parts.push(schema.description);
    parts.push(fieldsTable(document, schema) ?? typeOf(schema));
    return parts.join('\n\n');
  });
  const about =
    'Every named schema; [/openapi.json](/openapi.json) has them as JSON Schema. Events and webhook messages also have separate files: [/schemas/events.json](/schemas/events.json) and [/schemas/webhooks.json](/schemas/webhooks.json).';
  return ['# Schemas', about, ...sections].join('\n\n');
}

const resolve = (document: Json, ref: string): Json =>
  ref
    .slice(2)
    .split('/')
    .reduce<Json>((value, name) => value[name], document);

/** Lists an object's members, one level deep. A named schema becomes a link. */
function fieldsTable(document: Json, given: Json): string | undefined {
  const schema = given.$ref ? resolve(document, given.$ref) : given;
  if (!schema.properties) return undefined;
  const required: string[] = schema.required ?? [];
  const rows = Object.entries<Json>(schema.properties).flatMap(([name, member]) => [
    [
      `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
      typeOf(member),
      withBounds(member.description ?? '', member),
    ],
    ...innerRows(name, member),
  ]);
  return table(['member', 'type', ''], rows);
}

/** Lists the members of an unnamed object, or of a list of unnamed objects. */
function innerRows(name: string, member: Json): string[][] {
  const inner = member.anyOf?.find((one: Json) => one.properties) ?? (member.items?.properties ? member.items : member);
  if (!inner.properties) return [];
  const dots = inner === member.items ? `${name}[].` : `${name}.`;
  return Object.entries<Json>(inner.properties).map(([key, value]) => [
    `\`${dots}${key}\`${inner.required?.includes(key) ? '' : ' (optional)'}`,
    typeOf(value),
    withBounds(value.description ?? '', value),
  ]);
}

function typeOf(schema: Json): string {
  if (schema === undefined) return '';
  if (schema.$ref) return schemaLink(nameOf(schema.$ref));
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value: Json) => `\`${value}\``).join(', ');
  const either: Json[] | undefined = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (either) return [...new Set(either.map(typeOf))].join(' or ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items ?? {})}`;
  if (schema.type === 'object' && schema.properties === undefined && schema.additionalProperties)
    return `map of ${typeOf(schema.additionalProperties)}`;
  if (schema.format === 'binary') return 'bytes';
  if (schema.format === 'date-time') return 'time (ISO 8601)';
  if (Array.isArray(schema.type)) return schema.type.join(' or ');
  return schema.type ?? 'anything';
}

function withBounds(description: string, { minimum, maximum, maxLength, maxItems }: Json): string {
  const bounds = [
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}` : '',
    minimum !== undefined && maximum === undefined ? `from ${minimum}` : '',
    maxLength === undefined ? '' : `at most ${maxLength} characters`,
    maxItems === undefined ? '' : `at most ${maxItems}`,
  ].filter(Boolean);
  return [description, bounds.length > 0 ? `(${bounds.join('; ')})` : ''].filter(Boolean).join(' ');
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');
function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function exampleBlock(example: Json): string {
  if (typeof example === 'string') return `\`\`\`\n${example.trimEnd()}\n\`\`\``;
  const lines = JSON.stringify(example, null, 2).split('\n');
  const cut = lines.length > MOST_EXAMPLE_LINES ? [...lines.slice(0, MOST_EXAMPLE_LINES), '  ...'] : lines;
  return `\`\`\`json\n${cut.join('\n')}\n\`\`\``;
}
