import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getBasePath, type OpenApiDocument } from '@platform/shared/openapi/openapi-document';
import { installPackage } from '../../tools/install-package.ts';

export type Document = OpenApiDocument;

const PLATFORM = new URL('../../openapi/platform.json', import.meta.url);

/** Installs the third-party tools of this suite. */
export const useTools = (): void => {
  before('install the tools', () => installPackage('test/contract'));
};

/** Loads the joined document that the gateway serves. It has no references to other files. */
export const loadDocument = async (): Promise<Document> =>
  JSON.parse(await readFile(PLATFORM, 'utf8')) as Document;

/** Prism ignores the path of a server, so add the base path to every path, such as `/api/v1/users`. */
export const prefixPaths = (document: Document): Document => {
  const prefix = getBasePath(document);
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path === '/' ? prefix : prefix + path,
    item,
  ]);
  return { ...document, servers: [{ url: '/' }], paths: Object.fromEntries(paths) };
};

/** Writes the document for a tool that reads a file. */
export const createDocumentFile = async (
  document: Document,
): Promise<{ file: string; remove: () => Promise<void> }> => {
  const directory = await mkdtemp(join(tmpdir(), 'contract-'));
  const file = join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(document, undefined, 2));
  return { file, remove: () => rm(directory, { recursive: true, force: true }) };
};
