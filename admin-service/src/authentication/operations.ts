import type { handledOperations } from '@platform/openapi/types/admin';
import type * as internal from '@platform/openapi/types/internal';
import type { OperationHandlers } from '@platform/shared/openapi/operations';
import type { ServiceCaller } from '@platform/shared/platform/services/service-shares';
import type { AdminCaller } from './callers.ts';

/** A handler for each operation, by its name in the contract of its feature. */
export type AdminOperations = OperationHandlers<handledOperations, { 'jwt-admin-access': AdminCaller }>;

/** The operations for other services. */
export type InternalOperations = Omit<
  OperationHandlers<internal.handledOperations, { service: ServiceCaller }>,
  'introspectToken'
>;
