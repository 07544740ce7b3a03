import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import openapiTS, { astToString } from 'openapi-typescript';
import { parse } from 'yaml';

// `npm run generate`: writes openapi/types/<name>.ts from each contract <name>.yaml.
// With --check it writes nothing, names each stale file and exits with 1.

type Requirement = Record<string, string[]>;
type Operation = { operationId?: string; security?: Requirement[] };
type Contract = { paths?: Record<string, Record<string, Operation>>; security?: Requirement[] };

const CONTRACTS = resolve(import.meta.dirname, '../openapi');
const TYPES = join(CONTRACTS, 'types');
/** Referenced by the other documents, so their types include its types. */
const SHARED_PARTS = 'common.yaml';
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

const printTypes = async (contract: string): Promise<string> => {
  const path = join(CONTRACTS, contract);
  const security = readSecurity(parse(await readFile(path, 'utf8'), { maxAliasCount: -1 }));
  const types = astToString(await openapiTS(pathToFileURL(path), { silent: true }));
  return `// Generated from ${contract} by \`npm run generate\`: change the contract, not this file.\n\n${types}\n${printSecurity(security)}`;
};

/** `fallback` where there is no such file or folder; any other error is thrown. */
const ifPresent = <Found>(found: Promise<Found>, fallback: Found): Promise<Found> =>
  found.catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return fallback;
    throw error;
  });

type Generated = { file: string; types: string; isStale: boolean };

const generate = async (contract: string): Promise<Generated> => {
  const file = contract.replace('.yaml', '.ts');
  const types = await printTypes(contract).catch((fault: Error): never => {
    console.error(`openapi/${contract}: ${fault.message}`);
    process.exit(1);
  });
  return { file, types, isStale: (await ifPresent(readFile(join(TYPES, file), 'utf8'), '')) !== types };
};

const write = async (stale: Generated[], leftovers: string[]): Promise<void> => {
  await mkdir(TYPES, { recursive: true });
  for (const { file, types } of stale) await writeFile(join(TYPES, file), types);
  for (const name of leftovers) await rm(join(TYPES, name));
};

const report = (stale: Generated[], leftovers: string[]): void => {
  for (const { file } of stale)
    console.error(`openapi/types/${file} is stale: run \`npm run generate\` and commit it.`);
  for (const name of leftovers)
    console.error(`openapi/types/${name} has no contract: run \`npm run generate\` to remove it.`);
  if (stale.length + leftovers.length > 0) process.exitCode = 1;
};

const contracts = (await readdir(CONTRACTS)).filter(
  (name) => name.endsWith('.yaml') && name !== SHARED_PARTS,
);
const generated = await Promise.all(contracts.map(generate));
const present = await ifPresent(readdir(TYPES), []);
const leftovers = present.filter((name) => !generated.some(({ file }) => file === name));
const stale = generated.filter(({ isStale }) => isStale);
if (process.argv.includes('--check')) report(stale, leftovers);
else await write(stale, leftovers);
