import type { operationSecurity, operations } from '@platform/openapi/types/admin';
import type { OperationHandlers } from '@platform/shared/http/operations';
import type { AdminCaller } from './workspaces/workspace.ts';

export type AdminOperations = OperationHandlers<
  operations,
  operationSecurity,
  { 'jwt-admin-access': AdminCaller }
>;
