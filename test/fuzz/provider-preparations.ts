import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { createOidcClient } from '../oidc-client.ts';
import { linkIdentity, PERSON } from '../system/provider-targets.ts';
import type { Values } from './factors.ts';
import type { Fixture, Identity } from './fixture.ts';

export const PROVIDER = 'company';

const createPreparations = (fixture: Fixture, { kind, userId, device }: Identity) => {
  const oidc = createOidcClient(kind, createHttpClient(fixture.gatewayUrl).sendOrThrow);
  const preparations: Record<string, () => Promise<Values>> = {
    OidcSignIn: async () => {
      await linkIdentity(fixture, userId);
      return { callbackUrl: await oidc.getCallback(PROVIDER, device.fingerprint, PERSON) };
    },
    IdentityLink: async () => {
      await fixture.records.query('delete from identities where subject = $1', [PERSON]);
      const confirmation = { currentPassword: PASSWORD };
      return { callbackUrl: await oidc.getLinkCallback(device, PROVIDER, PERSON, confirmation) };
    },
    IdentityUnlink: async () => ({ identity: await linkIdentity(fixture, userId, uniqueFingerprint()) }),
  };
  return preparations;
};

/** Signs in at the provider, or links an identity. Returns the values of the placeholders of a request. */
export const prepareProvider = async (fixture: Fixture, id: string, identity: Identity): Promise<Values> =>
  (await createPreparations(fixture, identity)[id.replace(identity.kind.kind, '')]?.()) ?? {};
