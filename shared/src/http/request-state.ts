import type { ServerResponse } from 'node:http';
import type { SpanContext } from '@opentelemetry/api';
import type { ClientNetworks } from '../network/client-address.ts';

/** Identifies the caller in the access log by ids, and never by a token or an e-mail. */
export type LoggedCaller = { userId: string; sessionId: string | null };

/**
 * Everything that a request carries from one middleware to the next. `createRequestState`, the first
 * middleware, creates it. Other modules declare further properties, such as `openapi-document.ts` and the
 * gateway's `request-state.ts`.
 */
export interface RequestState {
  /** The same value as in the header X-Request-Id of the response. */
  requestId: string;
  /** The trace of the caller, or the span of this process if spans are recorded. */
  trace?: SpanContext;
  /** Read it with getClientAddress. */
  clientAddress?: string;
  /** Read it with getClientNetworks. */
  clientNetworks?: ClientNetworks;
  /** The route for metrics and spans. Paths contain ids, each of which would create a new series. */
  route?: string;
  /** The documented operation. Spans of the gateway have its path as their route, because `route` is a service there. */
  publicOperation?: { id: string; route: string };
  /** Whether the path has a broken percent sign, or is not UTF-8. */
  isPathUndecodable?: boolean;
  /** The result of the operation's security handler. */
  caller?: unknown;
  /** Settles when the operation has ended, which may be later than the client disconnects. */
  handling?: unknown;
  /** The properties below are for the access log and the span. */
  loggedCaller?: LoggedCaller;
  /** The service that called an internal operation. */
  callingService?: string;
  /** The instance to which the gateway has forwarded the request, and the code of its error response. */
  forwarded?: { instance: string; errorCode?: string };
  /** The code of an error response, and the exception of a 5xx. */
  error?: { code: string; exception?: unknown };
}

/** The requests of a connection share it. createApiServer creates it. */
export interface ConnectionState {
  /** The response to the last request on the connection, until it is closed and the request is complete. */
  lastResponse?: ServerResponse | undefined;
}

declare global {
  namespace Express {
    interface Request {
      state: RequestState;
    }
  }
}

declare module 'node:net' {
  interface Socket {
    state: ConnectionState;
  }
}
