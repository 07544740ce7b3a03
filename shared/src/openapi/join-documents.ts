import { isDeepStrictEqual } from 'node:util';
import { loadOpenApiDocument, type OpenApiDocument, toPublished } from './openapi-document.ts';

type Info = OpenApiDocument['info'] & { description?: string };
type Document = Omit<OpenApiDocument, 'info'> & { info: Info; tags?: { name: string }[] };

/** @throws Error for a name that means different things in two documents */
const mergeEntries = <Value>(
  what: string,
  left: Record<string, Value>,
  right: Record<string, Value>,
): Record<string, Value> => {
  const conflicts = Object.keys(right).filter(
    (name) => Object.hasOwn(left, name) && !isDeepStrictEqual(left[name], right[name]),
  );
  if (conflicts.length > 0) throw new Error(`Two documents define ${what} ${conflicts.join(', ')}`);
  return { ...left, ...right };
};

/** @throws Error for a value that occurs more than once */
const requireUnique = (what: string, values: string[]): void => {
  const repeated = values.filter((value, index) => values.indexOf(value) !== index);
  if (repeated.length > 0) throw new Error(`Two documents define ${what} ${repeated.join(', ')}`);
};

const mergeComponents = (documents: Document[]): OpenApiDocument['components'] => {
  const merged: OpenApiDocument['components'] = {};
  for (const { components } of documents)
    for (const [section, entries] of Object.entries(components))
      merged[section] = mergeEntries(`components/${section}`, merged[section] ?? {}, entries);
  return merged;
};

const listOperationIds = ({ paths }: Document): string[] =>
  Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((part) => ('operationId' in part ? [part.operationId] : [])),
  );

/** Joins the versions of all documents, so that the result changes with each of them: `2.1.0+admin.2.0.0`. */
const joinVersions = (documents: Record<string, Document>): string => {
  const [[, first] = ['', undefined], ...others] = Object.entries(documents);
  return `${first?.info.version}+${others.map(([name, { info }]) => `${name}.${info.version}`).join('.')}`;
};

/**
 * Joins the operations of all documents, which must have the same servers and no name in common for different
 * things.
 * @throws Error if the documents conflict
 */
export const joinDocuments = (title: string, byName: Record<string, OpenApiDocument>): OpenApiDocument => {
  const documents: Document[] = Object.values(byName);
  const [first, ...others] = documents;
  if (!first) throw new Error('No documents to join');
  for (const { servers, security, openapi } of others)
    if (!isDeepStrictEqual([servers, security, openapi], [first.servers, first.security, first.openapi]))
      throw new Error('The documents differ in servers, security or version of OpenAPI');
  requireUnique('the operationId', documents.flatMap(listOperationIds));
  requireUnique(
    'the path',
    documents.flatMap(({ paths }) => Object.keys(paths)),
  );
  const tags = documents.flatMap((document) => document.tags ?? []);
  requireUnique(
    'the tag',
    tags.map(({ name }) => name),
  );
  const description = documents
    .map(({ info }) => `## ${info.title}\n\n${info.description ?? ''}`.trim())
    .join('\n\n');
  const info = { ...first.info, title, version: joinVersions(byName), description };
  const paths = Object.assign({}, ...documents.map((document) => document.paths));
  return { ...first, info, tags, paths, components: mergeComponents(documents) } as OpenApiDocument;
};

/** Loads the public documents and joins them into the one of the whole platform, which the gateway serves. */
export const loadPlatformDocument = async (auth: URL, admin: URL): Promise<OpenApiDocument> =>
  joinDocuments('Marketplace platform', {
    auth: toPublished(await loadOpenApiDocument(auth)),
    admin: toPublished(await loadOpenApiDocument(admin)),
  });
