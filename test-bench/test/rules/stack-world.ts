import { CODE_SECRET, createCodeFlows, getEnvironment } from '@platform/auth-service/testing/auth-service';
import type { handledOperations as AdminOperations } from '@platform/openapi/types/admin';
import type { handledOperations } from '@platform/openapi/types/test-bench';
import { connectRedis, untilReady } from '@platform/shared/redis/redis';
import { createAuthClient, type Kind } from '@platform/shared/testing/auth-client';
import { createContractClient, readContract } from '@platform/shared/testing/contract-client';
import { createHttpClient, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { type NodeProcess, startService } from '@platform/shared/testing/process';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { SERVICE_ENVIRONMENT } from '@platform/shared/testing/service-client';
import { type RunningStack, type StackFile, startStack } from '@platform/shared/testing/stack';
import type { World } from './rule.ts';

const BENCH_CONTRACT = await readContract('test-bench');
const ADMIN_CONTRACT = await readContract('admin');

const { DATABASE_URL: _none, ...SECRETS } = getEnvironment('');
/** A rule sends up to forty codes from one network within a minute, of which thirty are allowed. */
const SETTINGS = {
  ...SECRETS,
  ...SERVICE_ENVIRONMENT,
  NODE_ENV: '',
  LOG_LEVEL: 'info',
  RATE_LIMIT_SCALE: '10',
};

type Bench = ReturnType<typeof createContractClient<handledOperations>>;

const expectBody = ({ status, text, body }: HttpResponse): HttpResponse['body'] => {
  if (status < 300) return body;
  throw new Error(`The test bench responds with ${status}: ${text}`);
};

const withHeaders =
  ({ sendOrThrow }: HttpClient, own: Record<string, string>): HttpClient['send'] =>
  (request) =>
    sendOrThrow({ ...request, headers: { ...own, ...request.headers } });

/** Waits for the mail that a request causes. */
const createCodeReader = ({ listMails }: Bench) => ({
  codeOf: async (to: string, sending: Promise<HttpResponse>): Promise<string> => {
    const { next: after } = expectBody(await listMails({ query: { to } }));
    expectBody(await sending);
    const { data } = expectBody(await listMails({ query: { to, after, wait: 30 } }));
    return data[0].code;
  },
});

/** The rules make some people by rows alone. */
const addPerson = ({ query }: Pick<Records, 'query'>, id: string, label: string) =>
  query('insert into test_bench.accounts (user_id, label) values ($1, $2) on conflict do nothing', [
    id,
    label,
  ]);

const startStrictService = ({ stack }: RunningStack): NodeProcess =>
  startService('auth-service', {
    ...SETTINGS,
    NODE_ENV: 'development',
    DATABASE_URL: stack.databaseUrls.auth,
    REDIS_URL: stack.redisUrl,
    AUTH_API_PORT: '0',
    AUTH_OPS_PORT: '0',
    NEW_DEVICE_CODE: 'on',
    SESSION_MAX_AGE: '36000',
  });

/** @param strictUrl an auth-service with NEW_DEVICE_CODE and SESSION_MAX_AGE */
export const openWorlds = async (stack: StackFile, codeSecret: string, strictUrl: string) => {
  const { testBench } = stack;
  if (testBench === undefined) throw new Error('stack.json has no test bench');
  const options = { keepAlive: true, timeoutSeconds: 60 };
  const [platform, bench, strict] = [stack.gatewayUrl, testBench.url, strictUrl].map((url) =>
    createHttpClient(url, options),
  ) as [HttpClient, HttpClient, HttpClient];
  const records = createRecords(stack.databaseUrl);
  const client = connectRedis(stack.redisUrl, () => undefined);
  await untilReady(client);
  const benchClient: Bench = createContractClient(BENCH_CONTRACT, bench.sendOrThrow, {
    accessToken: testBench.secret,
  });
  const mails = createCodeReader(benchClient);

  const createWorld = (label: string): World => {
    const sendFromLabel = withHeaders(platform, { 'X-Test-Label': label });
    const toClient = (kind: Kind, send: HttpClient['send']) => {
      const ofKind = createAuthClient(stack.gatewayUrl, kind, send, records);
      return { ...ofKind, ...createCodeFlows(ofKind, mails) };
    };
    return {
      auth: {
        url: stack.authUrl,
        databaseUrl: stack.databaseUrl,
        records,
        redis: { client } as World['auth']['redis'],
        mails,
        as: (kind) => toClient(kind, sendFromLabel),
      },
      strict: { as: (kind) => toClient(kind, strict.sendOrThrow) },
      admin: {
        url: stack.adminUrl,
        withToken: (accessToken) =>
          createContractClient<AdminOperations>(ADMIN_CONTRACT, sendFromLabel, { accessToken }),
      },
      passTime: async (id, seconds) => {
        await addPerson(records, id, label);
        expectBody(await benchClient.agePerson({ id, body: { by: `PT${Math.round(seconds)}S` } }));
      },
      newNetwork: async () => {
        const { network } = expectBody(await benchClient.addNetwork({ label }));
        return { 'X-Test-Network': network };
      },
      codeSecret,
      margin: 60,
    };
  };

  return {
    createWorld,
    close: async (): Promise<void> => {
      client.destroy();
      await records.close();
      for (const each of [platform, bench, strict]) each.close();
    },
  };
};

/** The platform of `npm run test-bench`, and one more auth-service with the settings that are off by default. */
export const startWorlds = async () => {
  const running = await startStack(SETTINGS, undefined, 'dev/test-bench.ts');
  const { stack } = running;
  const strictProcess = startStrictService(running);
  const { createWorld, close } = await openWorlds(stack, CODE_SECRET, (await strictProcess.listening()).url);
  return {
    createWorld,
    pids: { ...stack.pids, 'auth with NEW_DEVICE_CODE': strictProcess.pid },
    stop: async (): Promise<void> => {
      await close();
      await strictProcess.stop();
      await running.stop();
    },
  };
};
