import { type ApiAppOptions, createApiApp } from '@platform/shared/http/create-api-app';
import type { AdminOperations } from './operations.ts';
import { createWorkspaceGuard } from './security.ts';

type Options = Omit<ApiAppOptions, 'docsPath' | 'unknownFields' | 'guards' | 'operations'> & {
  operations: AdminOperations;
};

/** The pipeline is the one of every service (shared/src/http/create-api-app.ts); this is what is particular to this one. */
export const createApp = (options: Options) =>
  createApiApp({
    ...options,
    docsPath: '/api/v1/docs',
    // Operators learn at once when a field that they send means nothing here.
    unknownFields: 'reject',
    guards: [createWorkspaceGuard(options.document)],
  });
