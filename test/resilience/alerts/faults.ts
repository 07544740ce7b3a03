import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { freezePostgres, freezeRedis } from '@platform/shared/testing/freeze';
import { createHttpClient } from '@platform/shared/testing/http-client';
import type { ServiceName } from '@platform/shared/testing/process';
import type { MonitoredPlatform } from './monitored-platform.ts';
import { sendCodes } from './traffic.ts';

type Repair = () => Promise<unknown>;

export type Fault = {
  cause: string;
  alert: string;
  /** How long it lasts at least; otherwise until some seconds after the notification. */
  seconds?: number;
  /** After the repair, wait until no alert of a consequence fires any more. */
  isWatchedToTheEnd?: boolean;
  inject: (platform: MonitoredPlatform) => Promise<Repair>;
};

/** To all instances. */
const signal =
  (name: ServiceName, signalName: 'SIGSTOP' | 'SIGKILL'): Fault['inject'] =>
  async ({ find }) => {
    const instances = find(name);
    for (const instance of instances) instance.signal(signalName);
    if (signalName === 'SIGSTOP') return async () => instances.map((instance) => instance.signal('SIGCONT'));
    await Promise.all(instances.map((instance) => instance.waitForExit()));
    return () => Promise.all(instances.map((instance) => instance.start()));
  };

const freezeEngine =
  (engine: 'postgres' | 'redis'): Fault['inject'] =>
  async ({ databaseUrl, pids }) =>
    engine === 'redis' ? freezeRedis(pids().redis) : await freezePostgres(databaseUrl, pids().postgres);

/** Three codes are requested; the other traffic submits forms. */
const rejectLogins: Fault['inject'] = async (platform) => {
  const { smtp } = platform;
  smtp.acceptLogins(false);
  await smtp.goDown(); // the open connections have logged in
  await smtp.comeBack();
  await sendCodes(platform, 3);
  return async () => smtp.acceptLogins(true);
};

/** The metadata of the provider is not known yet, so each request needs it. */
const askProvider: Fault['inject'] = async ({ gatewayUrl }) => {
  const { send } = createHttpClient(gatewayUrl, { timeoutSeconds: 10 });
  for (let count = 0; count < 8; count += 1)
    await send({
      method: 'POST',
      path: `${CUSTOMER.path}/oidc/company/authorize`,
      headers: { 'X-Fingerprint': 'alerts' },
      body: { redirectUri: 'https://app.example.com/' },
    });
  return async () => undefined;
};

const removeFromDns =
  (name: ServiceName): Fault['inject'] =>
  async ({ dns }) => {
    const addresses = dns.records.get(name) ?? [];
    dns.records.delete(name);
    return async () => dns.records.set(name, addresses);
  };

const NO_INSTANCE = { alert: 'NoReadyInstance' } as const;
const NO_MAIL = { alert: 'MailNotSent' } as const;

/** Each gives one page, of this alert. The longest first. */
export const FAULTS: readonly Fault[] = [
  {
    ...{ cause: 'PostgreSQL frozen for two minutes', alert: 'PostgresUnavailable', seconds: 120 },
    isWatchedToTheEnd: true,
    inject: freezeEngine('postgres'),
  },
  {
    ...{ cause: 'auth-service frozen', ...NO_INSTANCE, isWatchedToTheEnd: true },
    inject: signal('auth-service', 'SIGSTOP'),
  },
  {
    ...{ cause: 'load balancer gone', alert: 'JourneyFailing' },
    inject: async ({ probeProxy }) => {
      await probeProxy.cut();
      return async () => probeProxy.restore();
    },
  },
  { cause: 'SMTP password wrong', ...NO_MAIL, inject: rejectLogins },
  {
    ...{ cause: 'mail server gone', ...NO_MAIL },
    inject: async ({ smtp }) => {
      await smtp.goDown();
      return smtp.comeBack;
    },
  },
  { cause: 'OpenID provider gone', alert: 'OidcProviderUnavailable', inject: askProvider },
  { cause: 'Redis frozen', alert: 'RedisUnavailable', inject: freezeEngine('redis') },
  { cause: 'auth-service killed', ...NO_INSTANCE, inject: signal('auth-service', 'SIGKILL') },
  { cause: 'admin-service killed', ...NO_INSTANCE, inject: signal('admin-service', 'SIGKILL') },
  { cause: 'mailer-worker killed', ...NO_INSTANCE, inject: signal('mailer-worker', 'SIGKILL') },
  { cause: 'gateway killed', ...NO_INSTANCE, inject: signal('gateway', 'SIGKILL') },
  { cause: 'admin-service gone from DNS', ...NO_INSTANCE, inject: removeFromDns('admin-service') },
];
