import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError, unavailable, validationFailed } from '@platform/shared/errors/app-error';
import { chooseRequestId } from '@platform/shared/http/request-logging';
import { isLoopback } from '@platform/shared/network/known-hosts';
import { createApiServer, HEADERS_KIB_BEHIND_GATEWAY } from '@platform/shared/server/api-server';
import { listen, listenOnIpv6Loopback } from '@platform/shared/server/listen';
import type { Runtime } from '@platform/shared/server/serve';
import type { FaultAnswer, FaultService } from '../faults/faults-service.ts';
import type { NetworkService } from '../labels/networks-service.ts';
import { createOriginFinder, type Origin } from './client-network.ts';
import { sendError } from './error-response.ts';
import { loseResponse, respondWithFault } from './faulted-response.ts';
import { createForwarding, type Forwarding } from './forward.ts';
import { createIdleConnections } from './idle-connections.ts';
import { MARK, type RawHeaders, toClientHeaders, toGatewayHeaders, without } from './raw-headers.ts';

type Options = {
  config: { host: string; port: number; gatewayUrl: string };
  networks: NetworkService;
  faults: Pick<FaultService, 'isActive' | 'hit'>;
};

type Exchange = { req: IncomingMessage; res: ServerResponse; headers: RawHeaders };

/** Streams the request to the gateway and its response back. */
const pass = ({ send }: Forwarding, { req, res, headers }: Exchange, closes: () => boolean): void => {
  const { method = '', url = '' } = req;
  const request = send(
    { method, path: url, headers, body: req },
    {
      onResponse: (response) => {
        res.writeHead(
          response.statusCode ?? 502,
          response.statusMessage,
          toClientHeaders(response, closes()),
        );
        response.pipe(res);
      },
      onError: (error) => sendError(req, res, error),
    },
  );
  res.once('close', () => {
    if (!res.writableFinished) request.destroy();
  });
};

const fail = (forwarding: Forwarding, exchange: Exchange, answer: FaultAnswer): void => {
  if (answer === 'lost-before') exchange.req.socket.destroy();
  else if (answer === 'lost-after') loseResponse(forwarding, exchange);
  else respondWithFault(forwarding, exchange, answer);
};

const toPath = (target: string): string => target.split('?', 1)[0] ?? '';

/** The request with an id, by which the hit of a fault is found in the log of the gateway. */
const withRequestId = ({ headers, ...exchange }: Exchange, id: string): Exchange => ({
  ...exchange,
  headers: [...without(headers, (name) => name === 'x-request-id'), 'X-Request-Id', id],
});

const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  // Node rejects a request target or header that its own parser has accepted.
  if (error instanceof TypeError) return validationFailed('The request cannot be forwarded');
  return unavailable('The test bench cannot serve the label; retry later.', error);
};

/**
 * Starts the proxy in front of the gateway, under the address of the platform. It tells the gateway from which
 * network a request comes, and lets requests fail on demand.
 */
export const startProxy = async ({ config, networks, faults }: Options, { log, metrics }: Runtime) => {
  const forwarding = createForwarding(config.gatewayUrl);
  const findOrigin = createOriginFinder(networks);

  const serve = (req: IncomingMessage, res: ServerResponse, { label, address }: Origin): void => {
    connections.track(req, res, label);
    const exchange = { req, res, headers: toGatewayHeaders(req, address) };
    const isActive = () => label !== undefined && faults.isActive(label);
    if (label === undefined || !isActive()) {
      pass(forwarding, exchange, isActive);
      return;
    }
    const { method = '', url = '', headers } = req;
    const id = chooseRequestId(headers);
    const answer = faults.hit(label, { method, path: toPath(url), id });
    const identified = withRequestId(exchange, id);
    if (answer === undefined) pass(forwarding, identified, isActive);
    else fail(forwarding, identified, answer);
  };

  const listener: RequestListener = (req, res) => {
    const reject = (error: unknown) => sendError(req, res, toAppError(error));
    try {
      const origin = findOrigin(req);
      if (origin instanceof Promise) void origin.then((found) => serve(req, res, found)).catch(reject);
      else serve(req, res, origin);
    } catch (error) {
      reject(error);
    }
  };

  const server = createApiServer(
    listener,
    { log, metrics },
    { headersKib: HEADERS_KIB_BEHIND_GATEWAY, responseHeaders: new Map([MARK]) },
  );
  const connections = createIdleConnections(server);
  const { host, port } = config;
  await listen(server, { variable: 'GATEWAY_PORT', number: port }, host);
  const ipv6 = isLoopback(host) ? listenOnIpv6Loopback(server) : undefined;
  return {
    /** Closes the connections of a label that are idle. */
    closeIdle: connections.close,
    close: () => {
      ipv6?.close();
      server.close();
      server.closeAllConnections();
      forwarding.close();
    },
  };
};
