import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import {
  loadOpenApiDocument,
  type OpenApiDocument,
  toPublished,
} from '@platform/shared/openapi/openapi-document';
import { toStrict } from '@platform/shared/openapi/strict-document';
import { createHttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import {
  CONTRACTS,
  createOperationFinder,
  listOperations,
  loadContract,
  type Operation,
} from '@platform/shared/testing/openapi-operations';
import { readReleased } from '../../tools/releases.ts';

const PATHS = { auth: '/api/openapi.json', admin: '/api/v1/docs/openapi.json' } as const;
type Name = (typeof CONTRACTS)[number];

/** A document that the deployment serves. */
export type PublishedDocument = { name: Name; path: string; document: OpenApiDocument };

/** The contract that judges the deployment: its own, or that of a release. */
export type Contract = {
  /** The documents of the deployment. */
  documents: readonly PublishedDocument[];
  /** The release whose contract it is, or the folder with its documents. */
  release: string | undefined;
  operations: readonly Operation[];
  find: ReturnType<typeof createOperationFinder>;
  /** Describes the errors of requests that reach no operation. */
  fallback: Operation;
};

/** Whether the contract has an operation, which that of an earlier release may lack. */
export const hasOperation = ({ operations }: Pick<Contract, 'operations'>, id: RegExp): boolean =>
  operations.some((operation) => id.test(operation.id));

/** The message says in one sentence why the URL cannot be checked. */
export class NoPlatformError extends Error {}

const REASONS: readonly [failure: RegExp, reason: string][] = [
  [/^refused$/, 'it refuses the connection'],
  [/^(?:reset|truncated)$/, 'it closes the connection without a complete response'],
  [/^timeout$/, 'it does not respond'],
  [/^(?:ENOTFOUND|EAI_AGAIN)$/, 'its name cannot be resolved'],
  [/^CERT_HAS_EXPIRED$/, 'its certificate has expired'],
  [/ALTNAME/, 'its certificate is for another host'],
  [/SELF_SIGNED|^UNABLE_TO/, 'its certificate is of an unknown authority (NODE_EXTRA_CA_CERTS adds one)'],
  [/^(?:EPROTO|ERR_SSL)/, 'it does not use TLS; try http://'],
];

const isDocument = (body: unknown): body is OpenApiDocument => {
  const { openapi, paths, info } = Object(body) as Partial<OpenApiDocument>;
  return String(openapi).startsWith('3.') && typeof paths === 'object' && typeof info?.version === 'string';
};

const readDocument = (url: string, path: string, response: HttpResponse): OpenApiDocument => {
  const { status, failure, headers, body } = response;
  if (failure !== undefined && /^\w+$/.test(failure)) {
    const [, reason = failure] = REASONS.find(([pattern]) => pattern.test(failure)) ?? [];
    throw new NoPlatformError(`${url} is not reachable: ${reason}.`);
  }
  if (headers.location !== undefined)
    throw new NoPlatformError(`${url}${path} redirects to ${headers.location}; give the URL of the gateway.`);
  if (status === 429 || status >= 500)
    throw new NoPlatformError(`${url}${path} returns ${status}; try again later.`);
  if (status === 200 && isDocument(body)) return body;
  throw new NoPlatformError(
    `${url} is not the gateway of the platform: there is no OpenAPI document at ${path}.`,
  );
};

/** Whether the folder has the documents of a release. */
export const isContractFolder = (path: string): boolean => existsSync(join(path, 'auth.yaml'));

/**
 * Reads a document of a release from a folder that has it, or from the history. A response may have fields and
 * words that the release does not know.
 */
const readContract = async (release: string, name: Name): Promise<OpenApiDocument> => {
  const file = pathToFileURL(join(release, `${name}.yaml`));
  if (isContractFolder(release)) return toPublished(await loadOpenApiDocument(file));
  const read = ({ pathname }: URL): string => readReleased(release, `openapi/${basename(pathname)}`);
  return toPublished(await loadOpenApiDocument(file, read));
};

/**
 * Fetches the documents of the deployment. They judge it in their strict form, unless the contract of a
 * release does. @throws NoPlatformError, MissingCommitError
 */
export const fetchContract = async (url: string, release?: string): Promise<Contract> => {
  const client = createHttpClient(url);
  const documents: PublishedDocument[] = [];
  for (const name of CONTRACTS) {
    const path = PATHS[name];
    documents.push({ name, path, document: readDocument(url, path, await client.send({ path })) });
  }
  const judging = documents.map(async ({ name, document }) =>
    listOperations(name, release === undefined ? toStrict(document) : await readContract(release, name)),
  );
  const operations = (await Promise.all(judging)).flat();
  const fallback = operations.find(({ responses }) => 'default' in responses);
  if (!fallback) throw new NoPlatformError(`The documents of ${url} describe no errors.`);
  return { documents, release, operations, find: createOperationFinder(operations), fallback };
};

export const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

const describeVersion = (deployed: string, own: string): string => {
  const order = compareVersions(deployed, own);
  if (order === 0) return 'the version of this checkout';
  return `${order < 0 ? 'older' : 'newer'} than this checkout, which has ${own}`;
};

/** Says in one line whether a published document is the same as in this checkout. */
export const compareWithCheckout = async ({ name, document }: PublishedDocument): Promise<string> => {
  const own = await loadContract(name);
  const { title, version } = document.info;
  // A served document is JSON, so drop undefined values before comparing.
  const isSame = isDeepStrictEqual(document, JSON.parse(JSON.stringify(own)));
  const content = isSame ? 'the same content' : 'other content';
  return `${title} ${version}: ${describeVersion(version, own.info.version)}, with ${content}`;
};
