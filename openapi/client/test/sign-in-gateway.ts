import { createMemoryStorage } from '../src/device.ts';
import type { Kind } from '../src/kinds.ts';
import { createPlatformClient, type PlatformClientOptions } from '../src/platform-client.ts';
import { isPlatformError } from '../src/platform-error.ts';
import { createFakeGateway, json } from './fake-gateway.ts';

export const CREDENTIALS = { email: 'ada@example.com', password: 'Correct horse 1' };
export const user = { email: CREDENTIALS.email, isEmailVerified: true };
export const session = { id: '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11' };
export const ANOTHER = { user: { ...user, email: 'bob@example.com' }, session: { id: 'another' } };
export const AUTH = '/customers/auth';

export const caught = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'resolved',
    (error: unknown) => error,
  );

/** The code of the PlatformError that the call rejects with. */
export const failed = async (call: Promise<unknown>): Promise<unknown> => {
  const error = await caught(call);
  return isPlatformError(error) ? error.code : error;
};

/** A fake gateway with a sign-in, for the tests of one file, and its clients. */
export const useSignInGateway = () => {
  const gateway = createFakeGateway();
  const { responders, requests } = gateway;
  before('listen', gateway.listen);
  after('stop', gateway.close);
  beforeEach(() => {
    responders.clear();
    requests.length = 0;
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'first', user, session }));
    responders.set(`${AUTH}/refresh/token`, json(200, { token: 'second' }));
  });
  const createClient = <K extends Kind = 'customer'>(options: Partial<PlatformClientOptions<K>> = {}) =>
    createPlatformClient({ gatewayUrl: gateway.url(), kind: 'customer' as K, ...options });
  const signIn = async (options: Partial<PlatformClientOptions<'customer'>> = {}) => {
    const client = createClient(options);
    await client.signIn(CREDENTIALS);
    requests.length = 0;
    return client;
  };
  return {
    responders,
    requests,
    createClient,
    signIn,
    /** Two tabs that share a session. */
    openTabs: async () => {
      const storage = createMemoryStorage();
      const tabs = [await signIn({ storage }), createClient({ storage })] as const;
      const close = () => {
        for (const tab of tabs) tab.close();
      };
      return { tabs, storage, close };
    },
    /** The methods and paths of the requests. */
    listRequests: () => requests.map((request) => request.split(' ').slice(0, 2).join(' ')),
  };
};
