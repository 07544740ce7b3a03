import { listOperations, loadOpenApiDocument } from '../src/http/openapi-document.ts';
import { expectError, send } from './responses.ts';

/** The root is the same with a trailing slash, and the queue dashboard has paths of its own. */
const isExempt = (route: string): boolean =>
  route === '/api/v1' || route.startsWith('/api/v1/administrator/queues');

/** Every other path of the document, with a trailing slash, is 404 for each of its methods and any other. */
export const expectNoTrailingSlashes = async (serviceUrl: string, document: URL): Promise<void> => {
  const operations = listOperations(await loadOpenApiDocument(document));
  for (const { method, route } of operations.filter(({ route }) => !isExempt(route))) {
    const path = `${route.replace(/:\w+/g, 'any')}/`;
    for (const tried of [method.toUpperCase() as 'GET', 'PUT', 'TRACE'] as const)
      expectError(await send(serviceUrl, tried, path), 404, 'ROUTE_NOT_FOUND');
  }
};
