import { queryOptions, useQuery } from '@tanstack/react-query';
import { type AnyClient, usePlatform } from '../session/platform.ts';
import { nameOf } from './names.ts';

const PATHS = [
  '/customers/auth/sign-in/methods',
  '/employees/auth/sign-in/methods',
  '/auth/admin/sign-in/methods',
] as const;

/**
 * Loads the names of the providers from the sign-in methods, because the API of the back office has only their ids.
 * A provider that is not offered any more has no name.
 */
const providerNames = (client: AnyClient) =>
  queryOptions({
    queryKey: ['provider-names'],
    queryFn: async ({ signal }) => {
      const kinds = await Promise.all(PATHS.map((path) => client.GET(path, { signal })));
      return Object.fromEntries(
        kinds.flatMap(({ providers }) => providers.map(({ id, name }) => [id, name])),
      );
    },
    staleTime: 3_600_000,
  });

/** How providers are called on the sign-in pages. @param isNeeded whether one is named at all */
export const useNameOfProvider = (isNeeded: boolean): ((id: string) => string) => {
  const { client } = usePlatform();
  const { data = {} } = useQuery({ ...providerNames(client), enabled: isNeeded });
  return (id) => nameOf(data, id);
};
