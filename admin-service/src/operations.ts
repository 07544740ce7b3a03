import type { operationSecurity, operations } from '@platform/openapi/types/admin';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { Caller } from './workspaces/workspace.ts';

export type AdminOperations = OperationHandlers<
  operations,
  operationSecurity,
  { 'jwt-admin-access': Caller }
>;
