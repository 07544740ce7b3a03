import { createPlatformClient, isPlatformError } from '@platform/client';
import { QueryClient } from '@tanstack/react-query';

/** One client for the page. Its tabs share the session, and its calls share a refresh. */
export const platform = createPlatformClient({
  gatewayUrl: import.meta.env['VITE_GATEWAY_URL'],
  kind: 'customer',
});

/** A retry after any other code would fail in the same way. */
const isTemporary = (error: unknown): boolean =>
  isPlatformError(error, 'GATEWAY_UNREACHABLE', 'SERVICE_UNAVAILABLE', 'UPSTREAM_UNAVAILABLE');

export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: (failures, error) => failures < 3 && isTemporary(error) } },
});

// The cache contains one user's data. Clear it when that user signs out or is replaced, also by another tab.
let cachedUserId = platform.getSnapshot().user?.id;
platform.subscribe(() => {
  const userId = platform.getSnapshot().user?.id;
  if (cachedUserId !== undefined && cachedUserId !== userId) queryClient.clear();
  cachedUserId = userId;
});
