import { readFile } from 'node:fs/promises';
// The package `yaml` takes four times as long, which each process would pay at its start.
import { CORE_SCHEMA, load } from 'js-yaml';
import type {} from '../http/request-state.ts';
import { exampleOfMedia, type MediaType } from './schema-example.ts';

/** One operation of a loaded document, with its parameters resolved. */
export type Operation = {
  /**
   * The name in the contract of the feature, which is also the name of the handler. The operations of several
   * account kinds share it.
   */
  name: string;
  kind: string | undefined;
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The Express route with the base path, such as `/api/v1/users/:id`. */
  route: string;
  /** The names as the document spells them, such as `X-Fingerprint`. */
  headerNames: string[];
  queryNames: string[];
  /** The alternative security requirements. */
  security: Record<string, string[]>[];
  needsBotCheck: boolean;
  needsRecentProof: boolean;
};

type Reference = { $ref: string };
type Parameter = { name: string; in: string };
/** An operation object of OpenAPI. */
type OperationObject = {
  operationId: string;
  /** An operation of one account kind has the name from the contract of the feature, and `x-kind`. */
  'x-operation'?: string;
  'x-kind'?: string;
  tags?: string[];
  parameters?: (Parameter | Reference)[];
  security?: Record<string, string[]>[];
  requestBody?: { required?: boolean; content?: Record<string, MediaType> };
  responses?: Record<string, { description?: string; content?: Record<string, MediaType> }>;
  /** Whether callers who must still set up a second factor may call the operation. */
  'x-before-enrolment'?: boolean;
  /** Whether a refresh token is only read, so that none is revoked in any state. */
  'x-read-only'?: boolean;
  /** Whether the request must have a solved challenge, where the platform keeps bots out. */
  'x-bot-check'?: boolean;
  /** Whether the caller must have proved their identity recently. */
  'x-recent-proof'?: boolean;
  /** The rate limits in which the operation counts, in addition to the overall one. */
  'x-rate-limit'?: string[];
};
type Server = { url: string };
type PathItem = { parameters?: (Parameter | Reference)[]; servers?: Server[] } & Partial<
  Record<Operation['method'], OperationObject>
>;
type Components = Record<string, Record<string, unknown>>;

export type OpenApiDocument = {
  openapi: string;
  info: { title: string; version: string };
  /** Absent if each path has its own. */
  servers?: Server[];
  security?: Record<string, string[]>[];
  paths: Record<string, PathItem>;
  components: Components;
};

/** The operation of a request, as express-openapi-validator matches it. */
export type MatchedOperation = {
  openApiRoute: string;
  pathParams: Record<string, unknown>;
  schema: OperationObject;
};

declare module '../http/request-state.ts' {
  interface RequestState {
    operation?: MatchedOperation;
  }
}

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** The files to whose components a document refers. */
const SHARED_FILES = ['common', 'enumerations'];

/** Adds an example of the whole body to each request and success response, from the examples of its properties. */
const addExamples = (document: OpenApiDocument): OpenApiDocument => {
  const operations = Object.values(document.paths).flatMap((item) =>
    METHODS.flatMap((method) => item[method] ?? []),
  );
  const successes = operations.flatMap(({ responses = {} }) =>
    Object.entries(responses).filter(([status]) => status.startsWith('2')),
  );
  const bodies = [...operations.map(({ requestBody }) => requestBody), ...successes.map(([, body]) => body)];
  for (const media of bodies.flatMap((body) => Object.values(body?.content ?? {})))
    if (!media.examples) media.example = exampleOfMedia(document, media);
  return document;
};

/** Refers to the shared components as to those of the document. */
const bundle = <Value>(value: Value): Value =>
  JSON.parse(
    SHARED_FILES.reduce(
      (text, name) => text.replaceAll(`"$ref":"./${name}.yaml#/`, '"$ref":"#/'),
      JSON.stringify(value),
    ),
  );

/** Finds the components that `value` references, directly or indirectly, as `section/name`. */
const findReferenced = (value: unknown, components: Components, found = new Set<string>()): Set<string> => {
  for (const [, section = '', name = ''] of JSON.stringify(value).matchAll(
    /"\$ref":"#\/components\/(\w+)\/(\w+)"/g,
  )) {
    const component = components[section]?.[name];
    if (component === undefined || found.has(`${section}/${name}`)) continue;
    found.add(`${section}/${name}`);
    findReferenced(component, components, found);
  }
  return found;
};

/** Returns the document with only those components that its paths reference, and all security schemes. */
export const withoutUnusedComponents = (document: OpenApiDocument): OpenApiDocument => {
  const { paths, components } = document;
  const referenced = findReferenced(paths, components);
  const used = Object.entries(components).map(([section, entries]) => [
    section,
    section === 'securitySchemes'
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => referenced.has(`${section}/${name}`))),
  ]);
  return { ...document, components: Object.fromEntries(used) };
};

/**
 * Loads a document, bundles the components that it shares with others, and adds examples.
 * @param read reads the document, and the shared files beside it
 */
export const loadOpenApiDocument = async (
  file: URL,
  read = (path: URL): Promise<string> | string => readFile(path, 'utf8'),
): Promise<OpenApiDocument> => {
  const readYaml = async (path: URL) => load(await read(path), { schema: CORE_SCHEMA }) as OpenApiDocument;
  const own = await readYaml(file);
  if (!JSON.stringify(own).includes('"$ref":"./')) return addExamples(own);
  const shared: Components = {};
  for (const name of SHARED_FILES)
    for (const [section, entries] of Object.entries(
      (await readYaml(new URL(`${name}.yaml`, file))).components,
    ))
      shared[section] = { ...entries, ...shared[section] };
  const [bundled, bundledShared] = [bundle(own), bundle(shared)];
  for (const [section, entries] of Object.entries(bundledShared))
    bundled.components[section] = { ...entries, ...bundled.components[section] };
  return addExamples(withoutUnusedComponents(bundled));
};

/** Returns the document without the properties that only its service needs to find a handler. */
export const toPublished = (document: OpenApiDocument): OpenApiDocument =>
  JSON.parse(
    JSON.stringify(document, (key, value) => (['x-operation', 'x-kind'].includes(key) ? undefined : value)),
  );

const resolveReference = (document: OpenApiDocument, item: Parameter | Reference): Parameter => {
  if (!('$ref' in item)) return item;
  const [, section = '', name = ''] = /^#\/components\/(\w+)\/(\w+)$/.exec(item.$ref) ?? [];
  const found = document.components[section]?.[name];
  if (found === undefined) throw new Error(`${item.$ref} does not exist`);
  return resolveReference(document, found as Parameter | Reference);
};

const withoutTrailingSlash = (url: string) => url.replace(/\/$/, '');

/** The prefix of every path without a trailing slash, such as `/api/v1`. All servers of a document have the same. */
export const getBasePath = ({ servers, paths }: OpenApiDocument): string => {
  const [server] = servers ?? Object.values(paths).flatMap((item) => item.servers ?? []);
  return withoutTrailingSlash((server?.url ?? '').replace(/^https?:\/\/[^/]+/, ''));
};

/** Returns the document with only those paths whose operations have the tag. */
export const selectOperations = (document: OpenApiDocument, tag: string): OpenApiDocument => {
  const isSelected = (item: PathItem): boolean => METHODS.some((method) => item[method]?.tags?.includes(tag));
  const paths = Object.entries(document.paths).filter(([, item]) => isSelected(item));
  return { ...document, paths: Object.fromEntries(paths) };
};

export const listOperations = (document: OpenApiDocument): Operation[] => {
  const prefix = getBasePath(document);
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      if (!operation) return [];
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])].map((parameter) =>
        resolveReference(document, parameter),
      );
      const listNames = (place: string) =>
        parameters.filter((parameter) => parameter.in === place).map(({ name }) => name);
      return {
        name: operation['x-operation'] ?? operation.operationId,
        kind: operation['x-kind'],
        method,
        route: withoutTrailingSlash(`${prefix}${path}`.replace(/\{(\w+)\}/g, ':$1')),
        headerNames: listNames('header'),
        queryNames: listNames('query'),
        security: operation.security ?? document.security ?? [],
        needsBotCheck: operation['x-bot-check'] === true,
        needsRecentProof: operation['x-recent-proof'] === true,
      };
    }),
  );
};
