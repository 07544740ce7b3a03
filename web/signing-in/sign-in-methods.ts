import type { PlatformClient, SignInMethods } from '@platform/client';
import { useEffect, useState } from 'react';
import { usePlatform } from '../session/platform.ts';

// Not `getSignInMethods`, with which the first screen would load all of `@platform/client/account`.
const PATHS = {
  customer: '/customers/auth/sign-in/methods',
  employee: '/employees/auth/sign-in/methods',
  administrator: '/auth/admin/sign-in/methods',
} as const;

/** Undefined until they are known, and without a connection: a password needs none of them. */
export const useSignInMethods = (): SignInMethods | undefined => {
  const { client, kind } = usePlatform();
  const [methods, setMethods] = useState<SignInMethods>();
  useEffect(() => {
    const leaving = new AbortController();
    // All kinds have the same response.
    const { GET } = client as unknown as PlatformClient<'customer'>;
    GET(PATHS[kind] as (typeof PATHS)['customer'], { signal: leaving.signal }).then(
      setMethods,
      () => undefined,
    );
    return () => leaving.abort();
  }, [client, kind]);
  return methods;
};
