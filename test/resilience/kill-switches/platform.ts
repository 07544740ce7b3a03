import { setTimeout as delay } from 'node:timers/promises';
import { startFakeSmtpServer } from '@platform/dev/testing/fake-smtp-server';
import { createHttpClient, type HttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { createRecords } from '@platform/shared/testing/records';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { toOidcSettings } from '../../provider-sign-in.ts';
import { createPlatform, type RestartableService, startEngines } from '../platform.ts';
import { startProvider } from '../races/provider-fixture.ts';

/** How long a load balancer needs to stop sending requests to an instance. */
const REMOVED_MILLISECONDS = 500;
/** The gateway detects that an instance is ready again within this time. */
const READY_MILLISECONDS = 1_200;
const NETWORKS = 64;
/** On a busy machine. */
const MAIL_SECONDS = 60;

/** The process that reads a switch. */
export type Process = 'auth-service' | 'gateway';

/** Sends each request to the next instance that accepts requests, as a load balancer does. */
const createBalancer = (instances: readonly RestartableService[]) => {
  const inUse = instances.map((instance) => ({ instance, client: createHttpClient(instance.url) }));
  let sent = 0;
  return {
    sendFrom:
      (address: () => string): HttpClient['send'] =>
      (call) => {
        sent += 1;
        const { client } = inUse[sent % inUse.length] ?? {};
        if (!client) throw new Error('No instance accepts requests');
        return client.send({ ...call, headers: { ...call.headers, 'X-Forwarded-For': address() } });
      },
    /** Replaces one instance after another. */
    replace: async (settings: Record<string, string>): Promise<void> => {
      for (const replaced of [...inUse]) {
        inUse.splice(inUse.indexOf(replaced), 1);
        await delay(REMOVED_MILLISECONDS);
        await replaced.instance.stop();
        await replaced.instance.start({ settings });
        await delay(READY_MILLISECONDS);
        inUse.push(replaced);
      }
    },
  };
};

/** Starts two instances of the processes that read switches, with two providers of OpenID Connect. */
export const startSwitchPlatform = async () => {
  const [engines, smtp, company, partner] = await Promise.all([
    startEngines(),
    startFakeSmtpServer(),
    startProvider(),
    startProvider(),
  ]);
  const watching = watchProcesses();
  const oidc = toOidcSettings({ company: company.configured, partner: partner.configured });
  const platform = createPlatform(engines, smtp.url, watching, { ...SERVICE_ENVIRONMENT, ...oidc });
  const auth = [await platform.create('auth-service'), await platform.create('auth-service')];
  const admin = await platform.create('admin-service');
  const worker = await platform.create('mailer-worker');
  const gateways = [
    await platform.createGateway(auth, [admin], { TRUSTED_PROXY_HOPS: '1' }),
    await platform.createGateway(auth, [admin], { TRUSTED_PROXY_HOPS: '1' }),
  ];
  for (const service of [...auth, admin, worker, ...gateways]) await service.start();
  const records = createRecords(engines.databaseUrl);
  const balancers = { 'auth-service': createBalancer(auth), gateway: createBalancer(gateways) };
  let sent = 0;
  const nextAddress = (): string => {
    sent += 1;
    return `10.0.${sent % NETWORKS}.1`;
  };
  return {
    records,
    providers: { company, partner },
    /** Sends as users of many networks. */
    send: balancers.gateway.sendFrom(nextAddress),
    sendFrom: (address: string) => balancers.gateway.sendFrom(() => address),
    /** Sends within the internal network. */
    sendInternally: balancers['auth-service'].sendFrom(nextAddress),
    waitForMail: (to: string): Promise<string> =>
      waitFor(`a mail to ${to}`, () => smtp.mails().find((mail) => mail.to.includes(to))?.text, MAIL_SECONDS),
    replace: (process: Process, settings: Record<string, string>) => balancers[process].replace(settings),
    stop: async (): Promise<void> => {
      await watching.stop();
      await records.close();
      platform.killAll();
      await Promise.all([company.stop(), partner.stop(), smtp.stop(), engines.stop()]);
    },
  };
};

export type SwitchPlatform = Awaited<ReturnType<typeof startSwitchPlatform>>;
