import { createLog } from '../src/log/log.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { createApiApp } from '../src/openapi/create-api-app.ts';
import type { OpenApiDocument } from '../src/openapi/openapi-document.ts';
import { createApiServer } from '../src/server/api-server.ts';
import { listenLocally } from './local-server.ts';
import { collectLogLines } from './log-lines.ts';
import { parseMetrics } from './parse-metrics.ts';

/** A path that the gateway forwards to admin-service. */
const PATH = '/api/v1/projects/1';
const body = {
  required: true,
  content: { 'application/json': { schema: { type: 'object', properties: { title: { type: 'string' } } } } },
};
const document: OpenApiDocument = {
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  servers: [{ url: '/' }],
  paths: {
    [PATH]: {
      patch: { operationId: 'editProject', requestBody: body, responses: { 204: { description: 'Done.' } } },
    },
  },
  security: [{ bearer: [] }],
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
};

/** The bytes of a request that the service accepts. */
export const HELD_REQUEST = [
  `PATCH ${PATH} HTTP/1.1`,
  'Host: localhost',
  'Content-Type: application/json',
  'Content-Length: 15',
  '',
  '{"title":"New"}',
].join('\r\n');

/**
 * Starts the HTTP pipeline of the services with one operation. `release` lets the requests continue, which
 * wait in the authentication, before their body is read.
 */
export const startHeldService = async () => {
  const { output, lines } = collectLogLines();
  const log = createLog({ service: 'test', level: 'info' }, output);
  const metrics = createMetrics('test');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const bodies: unknown[] = [];
  let waiting = 0;
  const app = await createApiApp({
    log,
    metrics,
    document,
    docsPath: '/docs',
    unknownFields: 'drop',
    validateResponses: false,
    security: {
      bearer: async () => {
        waiting += 1;
        await released;
      },
    },
    operations: {
      editProject: ({ body: received }: { body: unknown }) => {
        bodies.push(received);
        return { status: 204 };
      },
    },
  });
  const { port, close } = await listenLocally(createApiServer(app, { log, metrics }));
  return {
    url: `http://127.0.0.1:${port}`,
    lines,
    /** The bodies that the operation has received. */
    bodies,
    /** The number of requests that have reached the authentication. */
    countWaiting: () => waiting,
    release,
    countRequests: async (status: number): Promise<number> =>
      parseMetrics(await metrics.render()).find(
        ({ name, labels }) =>
          name === 'http_request_duration_seconds_count' && labels['status'] === String(status),
      )?.value ?? 0,
    stop: close,
  };
};
