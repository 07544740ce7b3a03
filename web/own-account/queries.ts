import { findPendingEmailChange, getSecondFactor } from '@platform/client/account';
import { listIdentities, listProviders } from '@platform/client/oidc';
import { useQuery } from '@tanstack/react-query';
import { type AnyClient, usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { toFullName } from '../words/full-name.ts';

const KEY = 'own-account';

type Load<Data> = (client: AnyClient, init: { signal: AbortSignal }) => Promise<Data>;

const useOwn = <Data>(name: string, load: Load<Data>) => {
  const { client } = usePlatform();
  return useQuery({ queryKey: [KEY, name], queryFn: ({ signal }) => load(client, { signal }) });
};

/** The second factors of the account; `data` is undefined until they are loaded. */
export const useSecondFactor = () => useOwn('second-factor', getSecondFactor);
export const useIdentities = () => useOwn('identities', listIdentities);
export const useProviderNames = () => useOwn('providers', listProviders);
export const useSessions = () => useOwn('sessions', (client, init) => client.listSessions(init));

/** Returns a function that names a provider; one that is no longer offered is named by its id. */
export const useNameOfProvider = (): ((id: string) => string) => {
  const { data = [] } = useProviderNames();
  return (id) => data.find((provider) => provider.id === id)?.name ?? id;
};

/**
 * An address that waits for its code, when another code can be sent (milliseconds since 1970), and whether this page
 * has not requested the code itself.
 */
export type Pending = { newEmail: string; resendAt: number; isEarlier: boolean };

/** The change of the address that was begun in this tab, in another one, or on another device; null without one. */
export const usePendingEmail = () => {
  const { client } = usePlatform();
  // All tabs know at once that the address has changed.
  const { email } = useSignedIn().user;
  return useQuery({
    queryKey: [KEY, 'pending-email', email],
    queryFn: async ({ signal }): Promise<Pending | null> => {
      const pending = await findPendingEmailChange(client, { signal });
      return (
        pending && {
          newEmail: pending.newEmail,
          resendAt: Date.now() + pending.resendIn * 1_000,
          isEarlier: true,
        }
      );
    },
  });
};

type MeOptions = { enabled?: boolean; pollMilliseconds?: number };

/** If not enabled, it returns what was loaded before. */
export const useMe = ({ enabled = true, pollMilliseconds }: MeOptions = {}) => {
  const { client } = usePlatform();
  return useQuery({
    queryKey: [KEY, 'me'],
    queryFn: ({ signal }) => client.me({ signal }),
    enabled,
    ...(pollMilliseconds && { refetchInterval: pollMilliseconds }),
  });
};

export const SIGN_INS = [KEY, 'sign-ins'];

/** A change of one factor changes sessions and recovery codes too. */
export const ACCOUNT_CHANGE = { invalidates: [[KEY]] } as const;

/** The name in the profile, undefined without one. Administrators have no profile. */
export const useOwnName = (options?: { enabled: boolean }): string | undefined => {
  const profile = useMe(options).data?.profile;
  return profile ? toFullName(profile) : undefined;
};
