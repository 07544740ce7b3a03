import type { RequestListener } from 'node:http';
import { rejectLargeBody } from '../../http/request-body.ts';
import { type ApiAppOptions, createApiApp } from '../../openapi/create-api-app.ts';
import { getBasePath, type OpenApiDocument, selectOperations } from '../../openapi/openapi-document.ts';
import { createServiceAuthentication } from './service-credentials.ts';
import { type ServiceScopes, withScopes } from './service-scopes.ts';
import type { ServiceSecrets } from './service-secrets.ts';
import { withShares } from './service-shares.ts';

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
  const authenticate = createServiceAuthentication(secrets, options.log);
  const authorize = withScopes(withShares(authenticate, secrets.keys(), options.metrics), scopes);
  const internal = await createApiApp({
    ...options,
    document: selectOperations(document, service),
    publishedDocument: document,
    docsPath: path,
    docsCacheControl: 'no-store',
    security: {
      service: async (req, res) => {
        // Runs first, as the same check does in the gateway.
        rejectLargeBody(req);
        return await authorize(req, res);
      },
    },
  });
  // These requests do not come through the gateway, so a client could put any network for its wrong secrets
  // into X-Forwarded-For.
  internal.set('trust proxy', false);
  const isInternal = new RegExp(`^${path}(?:[/?]|$)`);
  return (req, res) => {
    if (!isInternal.test(req.url ?? '')) return app(req, res);
    // Set first, because an error may occur before the middleware of the operation.
    res.setHeader('Cache-Control', 'no-store');
    internal(req, res);
  };
};
