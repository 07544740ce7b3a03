import { openProviderBrowser } from '@platform/dev/testing/provider-browser';
import type { AccountKind } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Role } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { type Context, type CreateTarget, confirmation, type Target } from './route-target.ts';

const REDIRECT_URI = 'http://localhost/signed-in';
/** This person has no demo account. */
export const PERSON = 'newcomer@example.com';

/** Links the person at the provider, or a new one, to a user. */
export const linkIdentity = async (
  { records, issuer }: Pick<Context, 'records' | 'issuer'>,
  userId: string,
  subject = PERSON,
) => {
  const [identity] = await records.query<{ id: string }>(
    `insert into identities (user_id, provider, issuer, subject) values ($1, 'company', $2, $3)
     on conflict (issuer, subject) do update set user_id = excluded.user_id returning id`,
    [userId, issuer, subject],
  );
  return identity?.id ?? '';
};

/** The address to which the provider returns after the person has signed in there. */
const visitProvider = async (
  { gatewayUrl }: Context,
  path: string,
  call: { headers: Record<string, string>; body: object },
): Promise<Target> => {
  const { body } = await send(gatewayUrl, 'POST', path, call);
  const callbackUrl = await openProviderBrowser().signIn(body.authorizationUrl, PERSON);
  return { body: { callbackUrl } };
};

/** Operations that need an identity at the provider, by the name of their handler. */
export const createProviderTargets = (
  { path: prefix }: AccountKind,
  role: Role,
): Record<string, CreateTarget> => {
  const getUserId = async ({ records, device }: Context) => {
    const [session] = await records.query<{ userId: string }>(
      'select user_id as "userId" from sessions where id = $1',
      [device?.sessionId],
    );
    return session?.userId ?? '';
  };
  const body = { redirectUri: REDIRECT_URI };
  return {
    oidcSignIn: async (context) => {
      await linkIdentity(context, (await context.records.user([role])).id);
      const headers = { 'X-Fingerprint': context.fingerprint };
      return await visitProvider(context, `${prefix}/oidc/company/authorize`, { headers, body });
    },
    identityLink: async (context) => {
      const { device, records } = context;
      const path = { identity: 'company' };
      if (!device) return { path };
      await records.query('delete from identities where subject = $1', [PERSON]);
      const headers = {
        'X-Fingerprint': device.fingerprint,
        Authorization: `Bearer ${device.accessToken}`,
      };
      const call = { headers, body: { ...body, ...confirmation } };
      return { ...(await visitProvider(context, `${prefix}/identities/company/authorize`, call)), path };
    },
    identityUnlink: async (context) =>
      context.device
        ? { path: { identity: await linkIdentity(context, await getUserId(context), uniqueFingerprint()) } }
        : {},
  };
};
