import type { startMisbehavingProvider } from '@platform/dev/testing/misbehaving-provider';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus, type HttpRequest } from '@platform/shared/testing/http-client';
import { toOidcSettings } from '../../provider-sign-in.ts';
import type { Attack } from './attack.ts';
import { range } from './fixture.ts';
import { startRounds } from './rounds.ts';

type HangingProvider = Awaited<ReturnType<typeof startMisbehavingProvider>>;

const BURST_SECONDS = 15;

type Burst = { addresses: number; requests: number; createRequest: () => HttpRequest };

/**
 * Sends all requests at once, from the addresses in turn. Later bursts exceed the limits of the addresses.
 */
const sendBursts = ({ addresses, requests, createRequest }: Burst): Attack['start'] =>
  startRounds(BURST_SECONDS, (gatewayUrl, network) => {
    const send = (index: number) => {
      const localAddress = `${network}.${1 + (index % addresses)}`;
      return createHttpClient(gatewayUrl, { localAddress, timeoutSeconds: 60 }).send(createRequest());
    };
    return Promise.all(range(requests).map(async (index) => formatStatus(await send(index))));
  });

export const signIns: Attack = {
  name: '200 sign-ins at once from 4 addresses',
  isShort: true,
  start: sendBursts({
    addresses: 4,
    requests: 200,
    createRequest: () => ({
      method: 'POST',
      path: `${CUSTOMER.path}/sign-in`,
      headers: { 'X-Fingerprint': uniqueFingerprint() },
      body: { email: uniqueEmail(), password: PASSWORD },
    }),
  }),
};

/** Creates logout tokens. The provider must have the fault `hangs`. */
export const createLogoutTokens = async (provider: HangingProvider): Promise<Attack> => {
  const body = `logout_token=${await provider.createLogoutToken()}`;
  return {
    name: '550 logout tokens at once to a hung provider',
    environment: toOidcSettings({ company: { provider } }),
    isShort: true,
    start: sendBursts({
      addresses: 1,
      requests: 550,
      createRequest: () => ({
        method: 'POST',
        path: '/api/v1/auth/oidc/company/backchannel-logout',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      }),
    }),
  };
};
