import type { handledOperations } from '@platform/openapi/types/auth';
import type * as internal from '@platform/openapi/types/internal';
import type { OperationHandlers } from '@platform/shared/openapi/operations';
import type { ServiceCaller } from '@platform/shared/platform/services/service-shares';
import type { AuthCaller, RefreshRequest, RegistrationCaller } from './callers.ts';

type Callers = {
  customerAccess: AuthCaller;
  employeeAccess: AuthCaller;
  administratorAccess: AuthCaller;
  universalAccess: AuthCaller;
  customerRefresh: RefreshRequest;
  customerRefreshBearer: RefreshRequest;
  employeeRefresh: RefreshRequest;
  employeeRefreshBearer: RefreshRequest;
  administratorRefresh: RefreshRequest;
  administratorRefreshBearer: RefreshRequest;
  administratorRegistration: RegistrationCaller;
  anonymous: RegistrationCaller;
};

/** A handler for each operation, by its name in the contract of its feature. */
export type AuthOperations = OperationHandlers<handledOperations, Callers>;

/** The operations for other services. */
export type InternalOperations = Pick<
  OperationHandlers<internal.handledOperations, { service: ServiceCaller }>,
  'introspectToken'
>;
