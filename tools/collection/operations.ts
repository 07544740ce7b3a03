import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MediaType, Schema } from '../../shared/src/http/schema-example.ts';
import { resolveReference } from '../../shared/src/http/schema-example.ts';

const METHODS = new Set(['get', 'post', 'put', 'patch', 'delete']);

export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header' | 'cookie';
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
};

/** The part of an operation object that a request needs; references are kept. */
type OperationObject = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security?: Record<string, string[]>[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, MediaType> };
  responses: Record<string, { description: string }>;
};

type Tag = { name: string; description?: string };
type SecurityScheme = { type: string };
type Document = {
  servers: { url: string }[];
  tags: Tag[];
  paths: Record<string, Record<string, OperationObject>>;
  components: { securitySchemes: Record<string, SecurityScheme> };
};

export type Operation = Pick<OperationObject, 'summary' | 'description' | 'responses'> & {
  document: object;
  id: string;
  tag: string;
  method: string;
  /** With the base path: `/api/v1/users/{id}`. */
  path: string;
  parameters: Parameter[];
  body: MediaType | undefined;
  /** The first scheme of the security requirement. */
  security: { name: string; isCookie: boolean } | undefined;
};

const toOperation = (document: Document, path: string, method: string, node: OperationObject): Operation => {
  const [scheme] = (node.security ?? []).flatMap(Object.keys);
  const requestBody = node.requestBody && resolveReference(document, node.requestBody);
  const responses = Object.entries(node.responses).map(([status, response]) => [
    status,
    resolveReference(document, response),
  ]);
  return {
    document,
    id: node.operationId,
    tag: node.tags[0] ?? '',
    method: method.toUpperCase(),
    path: `${document.servers[0]?.url ?? ''}${path}`.replace(/\/$/, ''),
    summary: node.summary,
    ...(node.description && { description: node.description }),
    parameters: (node.parameters ?? []).map((parameter) => resolveReference(document, parameter)),
    body: requestBody?.content['application/json'],
    security: scheme
      ? { name: scheme, isCookie: document.components.securitySchemes[scheme]?.type === 'apiKey' }
      : undefined,
    responses: Object.fromEntries(responses),
  };
};

/** The tags and operations of the joined OpenAPI document, in their order. */
export const loadOperations = async (root: string): Promise<{ tags: Tag[]; operations: Operation[] }> => {
  const document = JSON.parse(await readFile(join(root, 'openapi/platform.json'), 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.has(method))
      .map(([method, node]) => toOperation(document, path, method, node)),
  );
  return { tags: document.tags, operations };
};
