import type { RequestListener } from 'node:http';
import { type ApiAppOptions, createApiApp } from '../../http/create-api-app.ts';
import { getBasePath, type OpenApiDocument, selectOperations } from '../../http/openapi-document.ts';
import { createServiceAuthentication } from './service-credentials.ts';
import { type ServiceScopes, withScopes } from './service-scopes.ts';
import type { ServiceSecrets } from './service-secrets.ts';

type Options = Pick<
  ApiAppOptions,
  'log' | 'metrics' | 'unknownFields' | 'validateResponses' | 'operations'
> & {
  /** The document openapi/internal.yaml, which every service publishes as a whole. */
  document: OpenApiDocument;
  /** The tag of the operations that this service implements. */
  service: string;
  secrets: ServiceSecrets;
  scopes: ServiceScopes;
};

/**
 * Serves the operations for other services before `app` on the same port. The gateway does not forward their
 * paths.
 */
export const withInternalApi = async (
  { document, service, secrets, scopes, ...options }: Options,
  app: RequestListener,
): Promise<RequestListener> => {
  const path = getBasePath(document);
  const internal = await createApiApp({
    ...options,
    document: selectOperations(document, service),
    publishedDocument: document,
    docsPath: path,
    security: { service: withScopes(createServiceAuthentication(secrets, options.log), scopes) },
  });
  // These requests do not come through the gateway, so a client could put any network for its wrong secrets
  // into X-Forwarded-For.
  internal.set('trust proxy', false);
  const isInternal = new RegExp(`^${path}(?:[/?]|$)`);
  return (req, res) => (isInternal.test(req.url ?? '') ? internal(req, res) : app(req, res));
};
