import { createOperationFinder } from '@platform/gateway/limits/operation-limits';
import { loadPlatformDocument } from '@platform/shared/openapi/join-documents';
import type { Operations } from './faults-service.ts';

/** Reads the operations of the platform, which requests are found by as in the gateway. */
export const loadPlatformOperations = async (): Promise<Operations> => {
  const document = await loadPlatformDocument(
    new URL(import.meta.resolve('@platform/openapi/auth.yaml')),
    new URL(import.meta.resolve('@platform/openapi/admin.yaml')),
  );
  const ids = new Set(
    Object.values(document.paths).flatMap((item) =>
      Object.values(item).flatMap((part) => ('operationId' in part ? [part.operationId] : [])),
    ),
  );
  return { find: createOperationFinder(document), hasId: (id) => ids.has(id) };
};
