import { setTimeout as delay } from 'node:timers/promises';
import { CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { startSteadyLoad } from '../../load/steady-load.ts';
import { type Fault, lockTable, repeat, restart } from '../fault.ts';

/**
 * Makes about one of a hundred requests fail. These are support forms, which the other traffic does not send.
 */
const failSomeForms: Fault['inject'] = async ({ databaseUrl, gatewayUrl }) => {
  const { send } = createHttpClient(gatewayUrl, { timeoutSeconds: 10 });
  const unlock = await lockTable(databaseUrl, 'support_requests');
  const body = { email: 'visitor@example.com', subject: 'Please', message: 'Please' };
  const stop = repeat(() => send({ method: 'POST', path: '/api/v1/contact/support', body }), 20_000);
  return async () => {
    await unlock();
    await stop();
  };
};

/** Locks the table repeatedly for this long, so that requests wait and then succeed. */
const lockRepeatedly = async (databaseUrl: string, table: string, milliseconds: number) =>
  repeat(async () => {
    const unlock = await lockTable(databaseUrl, table);
    await delay(milliseconds);
    await unlock();
  }, milliseconds + 200);

/** Sends more concurrent requests of signed-in users than one instance has connections. */
const exhaustPool: Fault['inject'] = async (platform) => {
  const repairs = [
    await restart(platform, 'auth-service', { settings: { DATABASE_CONNECTIONS: '40' } }),
    await restart(platform, 'auth-service', { settings: { DATABASE_CONNECTIONS: '2' }, count: 1 }),
  ];
  const client = createHttpClient(platform.gatewayUrl, { keepAlive: true, timeoutSeconds: 10 });
  const auth = createAuthClient(platform.gatewayUrl, CUSTOMER, client.send);
  const device = await auth.createDevice();
  const load = startSteadyLoad([
    {
      perSecond: 30,
      run: () =>
        auth.me(device).then(
          () => true,
          () => true,
        ),
    },
  ]);
  const unlock = await lockRepeatedly(platform.databaseUrl, 'sessions', 1_100);
  return async () => {
    await unlock();
    await load.stop();
    await repairs[0]?.();
  };
};

/** The number of concurrent sign-ins. Each instance gets half of them, which PASSWORD_QUEUE_LIMIT allows. */
const BURST = 90;
/**
 * Signs in from many networks, because one network may not have so many concurrent requests, and from new
 * devices, because the other sign-ins would wait behind known ones and fail.
 */
const floodPasswords: Fault['inject'] = async (platform) => {
  const repairs = [
    await restart(platform, 'auth-service', { settings: { BCRYPT_COST: '8' } }),
    await restart(platform, 'gateway', { settings: { TRUSTED_PROXY_HOPS: '1' } }),
  ];
  const client = createHttpClient(platform.gatewayUrl, {
    keepAlive: true,
    timeoutSeconds: 10,
    maxConnections: BURST,
  });
  const createUser = (index: number) =>
    createAuthClient(platform.gatewayUrl, CUSTOMER, (request) =>
      client.send({ ...request, headers: { ...request.headers, 'X-Forwarded-For': `10.0.${index}.1` } }),
    );
  const account = await createUser(0).createAccount();
  let isStopped = false;
  const signIn = async (index: number): Promise<void> => {
    const auth = createUser(index);
    while (!isStopped)
      await auth.signIn({ fingerprint: uniqueFingerprint(), body: account }).catch(() => delay(100));
  };
  const users = Promise.all(Array.from({ length: BURST }, (_, index) => signIn(index)));
  return async () => {
    isStopped = true;
    await users;
    for (const repair of repairs) await repair();
  };
};

export const REQUEST_FAULTS: readonly Fault[] = [
  {
    cause: 'a table locked',
    alerts: ['ErrorBudgetBurnFast'],
    minutes: 5,
    inject: ({ databaseUrl }) => lockTable(databaseUrl, 'lead_requests'),
  },
  {
    cause: 'one request of a hundred fails',
    alerts: ['ErrorBudgetBurnSlow'],
    minutes: 17,
    sharedPlatform: 'processes',
    inject: failSomeForms,
  },
  {
    cause: 'gateway with wrong AUTH_SERVICE_URLS',
    alerts: ['SignInUnavailable'],
    minutes: 3,
    inject: (platform) =>
      restart(platform, 'gateway', {
        settings: { AUTH_SERVICE_URLS: 'http://127.0.0.1:1' },
        lacks: ['auth-service'],
      }),
  },
  {
    cause: 'load balancer gone',
    alerts: ['JourneyFailing'],
    minutes: 5,
    inject: async ({ probe }) => {
      await probe.proxy.cut();
      return async () => probe.proxy.restore();
    },
  },
  {
    cause: 'a table locked for 1.5 s at a time',
    alerts: ['SlowRequests'],
    minutes: 13,
    sharedPlatform: 'processes',
    inject: ({ databaseUrl }) => lockRepeatedly(databaseUrl, 'lead_requests', 1_500),
  },
  {
    cause: 'more queries than connections of a pool',
    alerts: ['DatabasePoolExhausted'],
    minutes: 6,
    inject: exhaustPool,
  },
];

/** This fault needs all processors, so it runs alone. */
export const PASSWORD_FLOOD: Fault = {
  cause: 'a burst of sign-ins',
  alerts: ['PasswordQueueLong'],
  minutes: 6,
  inject: floodPasswords,
};
