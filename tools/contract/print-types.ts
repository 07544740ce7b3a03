import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

type Requirement = Record<string, string[]>;
type Operation = { operationId?: string; security?: Requirement[] };
type Contract = { paths?: Record<string, Record<string, Operation>>; security?: Requirement[] };

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);
/** Represents the empty requirement `{}` among others: such an operation also accepts a caller without a token. */
const ANONYMOUS = 'anonymous';

const schemeNames = (requirements: Requirement[]): string[] => {
  const names = new Set(requirements.flatMap(Object.keys));
  const isOptional = names.size > 0 && requirements.some((schemes) => Object.keys(schemes).length === 0);
  return isOptional ? [...names, ANONYMOUS] : [...names];
};

/** The security schemes of each operation, by its id, in the order of the document. */
const readSecurity = ({
  paths = {},
  security: ofDocument = [],
}: Contract): [id: string, schemes: string[]][] =>
  Object.entries(paths).flatMap(([path, item]) => {
    if ('$ref' in item) throw new Error(`${path} is a $ref: write its operations out`);
    const operations = Object.entries(item).filter(([method]) => METHODS.has(method));
    return operations.map(([method, { operationId, security = ofDocument }]): [string, string[]] => {
      if (!operationId) throw new Error(`${method} ${path} has no operationId`);
      return [operationId, schemeNames(security)];
    });
  });

const printSecurity = (security: [id: string, schemes: string[]][]): string => {
  const quote = (name: string) => `'${name}'`;
  const lines = security.map(([id, schemes]) => `    ${id}: ${schemes.map(quote).join(' | ') || 'never'};`);
  return [
    '/** The security schemes that admit a caller to each operation; `never` for operations without authentication. */',
    'export interface operationSecurity {',
    ...lines,
    '}',
    '',
  ].join('\n');
};

/** The TypeScript types of a document. */
export const printTypes = async (document: URL): Promise<string> => {
  const security = readSecurity(parse(await readFile(document, 'utf8')));
  const types = astToString(await openapiTS(document, { silent: true }));
  const name = basename(fileURLToPath(document));
  return `// Generated from ${name} by \`npm run generate\`: change the contract, not this file.\n\n${types}\n${printSecurity(security)}`;
};
