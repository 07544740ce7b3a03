import { createAuthClient } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, uniqueFingerprint } from '@platform/shared/testing/builders';
import { getCallback, getLinkCallback } from '../provider-sign-in.ts';
import { linkIdentity, PERSON } from '../system/provider-targets.ts';
import type { Values } from './factors.ts';
import type { Fixture, Identity } from './fixture.ts';

export const PROVIDER = 'company';

const createPreparations = (fixture: Fixture, { kind, userId, device }: Identity) => {
  const client = createAuthClient(fixture.gatewayUrl, kind);
  const preparations: Record<string, () => Promise<Values>> = {
    OidcSignIn: async () => {
      await linkIdentity(fixture, userId);
      return { callbackUrl: await getCallback(client, PROVIDER, device.fingerprint, PERSON) };
    },
    IdentityLink: async () => {
      await fixture.records.query('delete from identities where subject = $1', [PERSON]);
      return { callbackUrl: await getLinkCallback(client, device, PROVIDER, PERSON, CONFIRMATION) };
    },
    IdentityUnlink: async () => ({ identity: await linkIdentity(fixture, userId, uniqueFingerprint()) }),
  };
  return preparations;
};

/** Signs in at the provider, or links an identity. Returns the values of the placeholders of a request. */
export const prepareProvider = async (fixture: Fixture, id: string, identity: Identity): Promise<Values> =>
  (await createPreparations(fixture, identity)[id.replace(identity.kind.kind, '')]?.()) ?? {};
