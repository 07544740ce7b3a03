import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  getBasePath,
  loadOpenApiDocument,
  type OpenApiDocument,
} from '@platform/shared/http/openapi-document';

export type Document = OpenApiDocument;
export type DocumentName = 'auth' | 'admin' | 'platform';

const CONTRACTS = new URL('../../openapi/', import.meta.url);

/** As the platform serves it: no reference leads to another file. */
export const loadDocument = async (name: DocumentName): Promise<Document> =>
  name === 'platform'
    ? (JSON.parse(await readFile(new URL('platform.json', CONTRACTS), 'utf8')) as Document)
    : await loadOpenApiDocument(new URL(`${name}.yaml`, CONTRACTS));

/** Prism ignores the path of a server, so the base path becomes part of every path. */
export const prefixPaths = (document: Document): Document => {
  const prefix = getBasePath(document);
  const paths = Object.entries(document.paths).map(([path, item]) => [prefix + path, item]);
  return { ...document, servers: [{ url: '/' }], paths: Object.fromEntries(paths) };
};

/** Writes the document for a tool that reads a file. */
export const withDocumentFile = async <Result>(
  document: Document,
  use: (file: string) => Promise<Result>,
): Promise<Result> => {
  const directory = await mkdtemp(join(tmpdir(), 'contract-'));
  try {
    const file = join(directory, 'openapi.json');
    await writeFile(file, JSON.stringify(document, undefined, 2));
    return await use(file);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};
