import type { operationSecurity, operations } from '@platform/openapi/types/admin';
import type { OperationHandlers } from '@platform/shared/http/operations';

type Callers = Record<never, never>;

export type AdminOperations = OperationHandlers<operations, operationSecurity, Callers>;
