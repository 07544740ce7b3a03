import type { LimitName, OperationLimit } from './limits/requests-per-minute.ts';
import type { ProxiedRequest } from './proxy/proxied-request.ts';

// The gateway adds these properties to the state of a request and of a connection.

declare module '@platform/shared/http/request-state' {
  interface RequestState {
    /** The limits of the operation, which the request counts towards besides the overall limit. */
    rateLimits?: readonly OperationLimit[];
    /** The limit that rejects the request. */
    exceededLimit?: { name: LimitName; retryAfterSeconds: number };
    /** How long the process was frozen while the request may have been waiting. */
    frozenMilliseconds?: number;
    /** The complete request body; undefined if the request has none. */
    bodyBuffer?: Buffer;
    /** Set once the gateway forwards the request. */
    proxiedRequest?: ProxiedRequest;
  }

  interface ConnectionState {
    /** Requests that wait for earlier responses; undefined while no request is being processed. */
    waitingRequests?: (() => void)[] | undefined;
    /** The connection closes after a response, so later requests on it get none. */
    isClosing?: boolean;
  }
}
