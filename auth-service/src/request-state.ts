import type { RefreshRequest } from './authentication/callers.ts';

// What auth-service adds to the state of a request.

declare module '@platform/shared/http/request-state' {
  interface RequestState {
    /** Set if the request has a refresh token with a valid signature. */
    refreshRequest?: RefreshRequest;
  }
}
