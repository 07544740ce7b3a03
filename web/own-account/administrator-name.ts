import type { PlatformClient } from '@platform/client';
import { queryOptions } from '@tanstack/react-query';

type Client = Pick<PlatformClient<'administrator'>, 'GET'>;

/** The name that colleagues see; null without one. A change of the own account loads it again. */
export const administratorName = (client: Client) =>
  queryOptions({
    queryKey: ['own-account', 'administrator-name'],
    queryFn: ({ signal }) => client.GET('/auth/admin/name', { signal }),
  });
