import type { RequestListener } from 'node:http';
import type { ServiceSecrets } from '../config/service-secrets.ts';
import { type ApiAppOptions, createApiApp } from './create-api-app.ts';
import { getBasePath, type OpenApiDocument, selectOperations } from './openapi-document.ts';
import { createServiceAuthentication } from './service-credentials.ts';

type Options = Pick<
  ApiAppOptions,
  'log' | 'metrics' | 'unknownFields' | 'validateResponses' | 'operations'
> & {
  /** openapi/internal.yaml, which every service publishes as a whole. */
  document: OpenApiDocument;
  /** The tag of the operations that this service has. */
  service: string;
  secrets: ServiceSecrets;
};

/**
 * Serves the operations for other services in front of `app`, on the same port: the gateway forwards no path
 * of theirs.
 */
export const withInternalApi = async (
  { document, service, secrets, ...options }: Options,
  app: RequestListener,
): Promise<RequestListener> => {
  const path = getBasePath(document);
  const internal = await createApiApp({
    ...options,
    document: selectOperations(document, service),
    publishedDocument: document,
    docsPath: path,
    security: { service: createServiceAuthentication(secrets) },
  });
  // Without the gateway, X-Forwarded-For is text of the client, which could choose the network of its wrong
  // secrets.
  internal.set('trust proxy', false);
  const isInternal = new RegExp(`^${path}(?:[/?]|$)`);
  return (req, res) => (isInternal.test(req.url ?? '') ? internal(req, res) : app(req, res));
};
