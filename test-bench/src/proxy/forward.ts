import { Agent, type ClientRequest, type IncomingMessage, request as sendRequest } from 'node:http';
import { AppError } from '@platform/shared/errors/app-error';
import type { RawHeaders } from './raw-headers.ts';

type Sent = {
  method: string;
  path: string;
  headers: RawHeaders;
  /** Streamed as it arrives; without it, the request has no body. */
  body?: IncomingMessage;
};

type Handlers = {
  /** Called when the headers of the response are there. */
  onResponse: (response: IncomingMessage) => void;
  /** Called if there is no response, or if it breaks off. */
  onError: (error: AppError) => void;
};

const gatewayUnavailable = (cause: Error): AppError =>
  new AppError('UPSTREAM_UNAVAILABLE', 502, 'The gateway is unavailable; retry later.', {
    headers: { 'Retry-After': '1' },
    cause,
  });

/** Sends requests to the gateway on connections that stay open. */
export const createForwarding = (gatewayUrl: string) => {
  const { hostname: host, port } = new URL(gatewayUrl);
  const agent = new Agent({ keepAlive: true });
  return {
    send: ({ body, ...sent }: Sent, { onResponse, onError }: Handlers): ClientRequest => {
      const fail = (error: Error) => onError(gatewayUnavailable(error));
      const request = sendRequest({ agent, host, port, ...sent });
      request.on('error', fail);
      request.once('response', (response) => onResponse(response.on('error', fail)));
      if (body === undefined) request.end();
      else body.pipe(request);
      return request;
    },
    close: () => agent.destroy(),
  };
};

export type Forwarding = ReturnType<typeof createForwarding>;
