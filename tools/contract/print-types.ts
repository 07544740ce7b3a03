import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import ts from 'typescript';
import { loadOpenApiDocument, type OpenApiDocument } from '../../shared/src/openapi/openapi-document.ts';

type Requirement = Record<string, string[]>;
type Operation = { operationId: string; security?: Requirement[]; 'x-operation'?: string; 'x-kind'?: string };

/** Represents the empty requirement `{}`: the operation also accepts a caller without a token. */
const ANONYMOUS = 'anonymous';

const listOperations = ({ paths }: OpenApiDocument): Operation[] =>
  Object.values(paths).flatMap((item) =>
    Object.values(item).filter((part): part is Operation => 'operationId' in part),
  );

const schemeNames = (requirements: Requirement[]): string[] => {
  const names = new Set(requirements.flatMap(Object.keys));
  const isOptional = names.size > 0 && requirements.some((schemes) => Object.keys(schemes).length === 0);
  return isOptional ? [...names, ANONYMOUS] : [...names];
};

const printUnion = (members: Iterable<string>): string => [...new Set(members)].join(' | ') || 'never';
const quote = (name: string): string => `'${name}'`;

const printHandled = (name: string, operations: Operation[], ofDocument: Requirement[]): string[] => {
  const types = operations.map(({ operationId }) => `operations[${quote(operationId)}]`);
  const schemes = operations.flatMap(({ security = ofDocument }) => schemeNames(security));
  const kinds = operations.flatMap(({ 'x-kind': kind }) => kind ?? []);
  return [
    `    ${name}: {`,
    `        operation: ${printUnion(types)};`,
    `        security: ${printUnion(schemes.map(quote))};`,
    `        kind: ${printUnion(kinds.map(quote))};`,
    '    };',
  ];
};

const printAllHandled = (document: OpenApiDocument): string => {
  const byName = Map.groupBy(
    listOperations(document),
    (operation) => operation['x-operation'] ?? operation.operationId,
  );
  return [
    '/**',
    ' * The operations by the names of their handlers, with the security schemes that admit a caller and the kinds of account; `never`',
    ' * where an operation has none.',
    ' */',
    'export interface handledOperations {',
    ...[...byName].flatMap(([name, operations]) => printHandled(name, operations, document.security ?? [])),
    '}',
    '',
  ].join('\n');
};

/**
 * A union of the known words and any other string. `string & {}` keeps TypeScript from merging the literals into
 * `string`, so that editors still suggest them.
 */
const toOpenUnion = (schema: object): ts.TypeNode | undefined => {
  if (!('x-known-values' in schema)) return undefined;
  const words = (schema['x-known-values'] as string[]).map((word) =>
    ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(word)),
  );
  const text = ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword);
  const anyOther = ts.factory.createIntersectionTypeNode([text, ts.factory.createTypeLiteralNode([])]);
  return ts.factory.createUnionTypeNode([...words, anyOther]);
};

/** Prints the TypeScript types of a document. */
export const printTypes = async (file: URL): Promise<string> => {
  const types = astToString(await openapiTS(file, { silent: true, transform: toOpenUnion }));
  const name = basename(fileURLToPath(file));
  const handled = printAllHandled(await loadOpenApiDocument(file));
  return `// Generated from ${name} by \`npm run generate\`: change the contract, not this file.\n\n${types}\n${handled}`;
};
