import type { IdentityProvider } from '@platform/client';
import { listProviders } from '@platform/client/oidc';
import { useEffect, useState } from 'react';
import { usePlatform } from '../session/platform.ts';

/** Empty until they are known, and without a connection: a password needs no provider. */
export const useProviders = (): readonly IdentityProvider[] => {
  const { client } = usePlatform();
  const [providers, setProviders] = useState<readonly IdentityProvider[]>([]);
  useEffect(() => {
    const leaving = new AbortController();
    listProviders(client, { signal: leaving.signal }).then(setProviders, () => undefined);
    return () => leaving.abort();
  }, [client]);
  return providers;
};
