import type { handledOperations } from '@platform/openapi/types/test-bench';
import type { OperationHandlers } from '@platform/shared/openapi/operations';

/** A handler for each operation, by its name in the contract of its feature. */
export type TestBenchOperations = OperationHandlers<handledOperations, { secret: undefined }>;
