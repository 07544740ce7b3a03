import { type ApiOptions, createApi } from '@platform/shared/http/api';
import type { AdminOperations } from './operations.ts';
import { createWorkspaceGuard } from './workspace-guard.ts';

type Options = Omit<ApiOptions, 'docsPath' | 'undeclared' | 'guards' | 'operations'> & {
  operations: AdminOperations;
};

/** The pipeline is the one of every service (shared/src/http/api.ts); this is what is particular to this one. */
export const createApp = (options: Options) =>
  createApi({
    ...options,
    docsPath: '/api/v1/docs',
    // Operators learn at once when a field that they send means nothing here.
    undeclared: 'refuse',
    guards: [createWorkspaceGuard(options.document)],
  });
