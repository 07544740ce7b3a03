import { type ApiAppOptions, createApiApp } from '@platform/shared/http/create-api-app';
import { MAX_PASSWORD_BYTES } from '@platform/shared/passwords/password-hasher';
import type { AuthOperations } from './operations.ts';
import { clearRevokedCookie, judgeTokenFirst } from './security.ts';

type Options = Omit<ApiAppOptions, 'docsPath' | 'unknownFields' | 'errorHandlers' | 'operations'> & {
  operations: AuthOperations;
};

/** The pipeline is the one of every service (shared/src/http/create-api-app.ts); this is what is particular to this one. */
export const createApp = (options: Options) =>
  // A client may send more than a request type declares; the rest is dropped.
  createApiApp({
    ...options,
    docsPath: '/api',
    unknownFields: 'drop',
    formats: {
      'new-password': {
        type: 'string',
        validate: (password) => Buffer.byteLength(password) <= MAX_PASSWORD_BYTES,
      },
    },
    errorHandlers: [judgeTokenFirst, clearRevokedCookie],
  });
