import type { SignInMethods } from '@platform/client';
import { useEffect, useState } from 'react';
import { usePlatform } from '../session/platform.ts';

// Not `getSignInMethods`, with which the first screen would load all of `@platform/client/account`.
const PATHS = {
  customer: '/customers/auth/sign-in/methods',
  employee: '/employees/auth/sign-in/methods',
  administrator: '/auth/admin/sign-in/methods',
} as const;

/** After this wait, the page shows the password without the methods, which it does not need. */
const PATIENCE_MILLISECONDS = 2_000;
const NONE: SignInMethods = { methods: ['password'], staySignedIn: false, providers: [] };

/** Undefined while the platform is asked, so that the page can be shown at once with all ways to sign in. */
export const useSignInMethods = (hiddenProvider?: string): SignInMethods | undefined => {
  const { client, kind } = usePlatform();
  const [methods, setMethods] = useState<SignInMethods>();
  useEffect(() => {
    const leaving = new AbortController();
    client
      .GET(PATHS[kind], { signal: leaving.signal })
      .then(setMethods, () => leaving.signal.aborted || setMethods(NONE));
    const timer = setTimeout(() => setMethods((known) => known ?? NONE), PATIENCE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, kind]);
  return methods && { ...methods, providers: methods.providers.filter(({ id }) => id !== hiddenProvider) };
};
