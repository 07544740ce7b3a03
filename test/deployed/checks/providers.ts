import { ACCOUNT_KINDS, ADMINISTRATOR } from '@platform/shared/testing/auth-client';
import type { Check, Probe, Section } from '../probe.ts';

/** The domain is reserved (RFC 2606), so no deployment lists it. */
const FOREIGN_URIS = ['https://check-deployed.invalid/', 'http://localhost.check-deployed.invalid/'];
const KINDS = [...ACCOUNT_KINDS, ADMINISTRATOR];

/** The path of each kind with the id of each of its providers. */
const listProviders = async ({ call, expect, skip }: Probe): Promise<[path: string, id: string][]> => {
  const found: [string, string][] = [];
  for (const { path } of KINDS) {
    const response = await call({ path: `${path}/oidc/providers` });
    expect(response, 200);
    const providers: { id: string }[] = response.body?.data ?? [];
    found.push(...providers.map(({ id }): [string, string] => [path, id]));
  }
  return found.length > 0 ? found : skip('none is configured');
};

const CHECKS: readonly Check[] = [
  {
    name: 'providers: none may return to a foreign address',
    run: async (probe) => {
      for (const [path, id] of await listProviders(probe))
        for (const redirectUri of FOREIGN_URIS) {
          const headers = { 'X-Fingerprint': 'check-deployed' };
          const request = { method: 'POST', path: `${path}/oidc/${id}/authorize`, headers };
          const response = await probe.call({ ...request, body: { redirectUri } });
          probe.expect(response, 400, 'VALIDATION_FAILED', '/body/redirectUri');
        }
    },
  },
  {
    name: 'back-channel logout: a token without a signature of the provider ends nothing',
    run: async (probe) => {
      for (const id of new Set((await listProviders(probe)).map(([, each]) => each))) {
        const response = await probe.call({
          method: 'POST',
          path: `/api/v1/auth/oidc/${id}/backchannel-logout`,
          headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
          body: 'logout_token=check-deployed',
        });
        probe.expect(response, 400, 'VALIDATION_FAILED');
      }
    },
  },
];

export const providerSection: Section = { title: 'Sign-in with a provider', checks: () => CHECKS };
