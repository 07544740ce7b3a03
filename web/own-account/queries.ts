import { getSecondFactor } from '@platform/client/account';
import { listIdentities, listProviders } from '@platform/client/oidc';
import { useQuery } from '@tanstack/react-query';
import { usePlatform } from '../session/platform.ts';

const KEY = 'own-account';

/** Undefined until it is loaded. */
export const useSecondFactor = () => {
  const { client } = usePlatform();
  return useQuery({
    queryKey: [KEY, 'second-factor'],
    queryFn: ({ signal }) => getSecondFactor(client, { signal }),
  });
};

export const useIdentities = () => {
  const { client } = usePlatform();
  return useQuery({
    queryKey: [KEY, 'identities'],
    queryFn: ({ signal }) => listIdentities(client, { signal }),
  });
};

export const useProviderNames = () => {
  const { client } = usePlatform();
  return useQuery({
    queryKey: [KEY, 'providers'],
    queryFn: ({ signal }) => listProviders(client, { signal }),
  });
};

export const useSessions = () => {
  const { client } = usePlatform();
  return useQuery({
    queryKey: [KEY, 'sessions'],
    queryFn: ({ signal }) => client.listSessions({ signal }),
  });
};

export const useMe = () => {
  const { client } = usePlatform();
  return useQuery({ queryKey: [KEY, 'me'], queryFn: ({ signal }) => client.me({ signal }) });
};

/** A change of one factor changes sessions and recovery codes too. */
export const ACCOUNT_CHANGE = { invalidates: [[KEY]] } as const;
