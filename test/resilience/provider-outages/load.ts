import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpClient, HttpResponse } from '@platform/shared/testing/http-client';
import { createOidcClient, REDIRECT_URI } from '../../oidc-client.ts';
import { type Operation, startSteadyLoad } from '../load/steady-load.ts';
import { COMPANY } from './faults.ts';

const PASSWORD_SIGN_INS_PER_SECOND = 30;
const PROVIDER_SIGN_INS_PER_SECOND = 4;
const MEMBERS = 50;

type Entry = { startedAt: number; response: HttpResponse };
export type Entries = { passwords: Entry[]; providers: Entry[] };

/** Sign-ins at a steady rate. The provider would refuse the code: the platform asks it all the same. */
export const createSignInLoad = async (client: HttpClient) => {
  const oidc = createOidcClient(CUSTOMER, client.send);
  const members = await Promise.all(
    Array.from({ length: MEMBERS }, async () => ({
      ...(await oidc.auth.createAccount()),
      fingerprint: uniqueFingerprint(),
    })),
  );

  const createOperations = ({ passwords, providers }: Entries): Operation[] => {
    let next = 0;
    const record = async (entries: Entry[], send: () => Promise<HttpResponse>): Promise<true> => {
      const startedAt = Date.now();
      entries.push({ startedAt, response: await send() });
      return true;
    };
    const signIn = async (): Promise<HttpResponse> => {
      next += 1;
      const [member] = members.slice(next % MEMBERS);
      if (!member) throw new Error('There is no member');
      const { email, password, fingerprint } = member;
      return await oidc.auth.signIn({ email, password }, fingerprint);
    };
    const signInWithProvider = async (): Promise<HttpResponse> => {
      const fingerprint = uniqueFingerprint();
      const authorized = await oidc.authorize(COMPANY, fingerprint);
      if (authorized.status !== 200) return authorized;
      const { origin, searchParams } = new URL(authorized.body.authorizationUrl);
      const parameters = { code: 'unknown', state: searchParams.get('state') ?? '', iss: origin };
      return await oidc.signIn(COMPANY, fingerprint, `${REDIRECT_URI}?${new URLSearchParams(parameters)}`);
    };
    return [
      { perSecond: PASSWORD_SIGN_INS_PER_SECOND, run: () => record(passwords, signIn) },
      { perSecond: PROVIDER_SIGN_INS_PER_SECOND, run: () => record(providers, signInWithProvider) },
    ];
  };

  return {
    oidc,
    /** `during` is called when the load has begun. */
    run: async (seconds: number, during?: () => Promise<void>): Promise<Entries> => {
      const entries: Entries = { passwords: [], providers: [] };
      const load = startSteadyLoad(createOperations(entries));
      await during?.();
      await delay(seconds * 1_000);
      await load.stop();
      return entries;
    },
  };
};

export type SignInLoad = Awaited<ReturnType<typeof createSignInLoad>>;
