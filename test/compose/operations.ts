import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { withBotCheck } from '@platform/shared/testing/bot-check';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import type { Installation, Step } from './installation.ts';
import { countUnderLoad, createClient } from './load.ts';
import { GATEWAY_URL } from './start.ts';
import { expectTraces } from './traces.ts';

const SERVICES = ['auth-service', 'admin-service', 'mailer-worker'];
const PROCESSES = ['gateway', ...SERVICES];
const ENGINES = ['postgres', 'valkey', 'mailpit'];
const UP = 'docker compose up --detach --wait';

/** Sends a contact form, and signs up, which a restarting gateway delays. */
const expectSwitched = async (form: number, signUp: number): Promise<void> => {
  const auth = createClient(GATEWAY_URL);
  const send = withBotCheck(createHttpClient(GATEWAY_URL).send);
  const body = { name: 'Ada', email: 'visitor@example.com', message: 'Hello' };
  await waitFor('the switched responses', async () => {
    const forms = await send({ method: 'POST', path: '/api/v1/contact/lead', body });
    const signUps = await auth.signUp({ body: { email: uniqueEmail(), password: PASSWORD } });
    return forms.status === form && signUps.status === signUp;
  });
};

const switchOff = async ({ runBlock }: Installation): Promise<void> => {
  await runBlock('runbooks.md', 'Switch something off', {}, '>> .env');
  await expectSwitched(503, 503);
  await runBlock('runbooks.md', 'Switch something off', {}, 'sed -i');
  await expectSwitched(204, 201);
};

/** Runs the work under load. @throws Error when a request fails */
const expectNoFailure = async (work: () => Promise<unknown>): Promise<string> => {
  const { failed, text } = await countUnderLoad(GATEWAY_URL, work);
  if (failed > 0) throw new Error(text);
  return text;
};

/** Runs the work, which replaces the only gateway, under load. @throws Error when a gateway responds with an error */
const expectOnlyInterruption = async (work: () => Promise<unknown>): Promise<string> => {
  const { text } = await countUnderLoad(GATEWAY_URL, work);
  const [, ...failures] = text.split('; ');
  if (failures.some((failure) => !/: (?:reset|refused)$/.test(failure))) throw new Error(text);
  return text;
};

/** Expects that a sign-up, a sign-in and the mail of a code work. */
const expectWorking = async (): Promise<void> => {
  const auth = createClient(GATEWAY_URL);
  await waitFor('sign-up and sign-in', () => auth.createAccountAndDevice().catch(() => undefined), 60);
  const { email } = await auth.createAccount();
  await waitFor(
    'a code',
    async () => (await auth.resetPasswordEmailCodeSend({ body: { email } })).status === 200,
    60,
  );
};

const setInstances = async ({ sh }: Installation, count: number): Promise<void> => {
  await sh(`sed -i /^AUTH_SERVICE_REPLICAS=/d .env; echo AUTH_SERVICE_REPLICAS=${count} >> .env; ${UP}`);
  const running = Number(await sh(`${UP}; docker compose ps --quiet auth-service | wc -l`));
  if (running !== count) throw new Error(`${running} instances in place of ${count} after another up`);
};

const rotate = async ({ runBlock, directory }: Installation): Promise<string> => {
  const files = await readdir(join(directory, 'secrets'));
  const names = files.filter((name) => files.includes(`${name}_previous`));
  const given = { NAMES: names.join(' '), PROCESSES: SERVICES.join(' ') };
  const text = await expectNoFailure(() => runBlock('runbooks.md', 'Rotate a secret', given));
  return `${names.length} keys: ${text}`;
};

const kill = async ({ sh }: Installation): Promise<void> => {
  for (const service of PROCESSES) {
    await sh(`docker compose exec -T ${service} bash -c 'kill -9 -1' || true`);
    await expectWorking();
  }
  for (const engine of ENGINES) {
    await sh(`docker compose kill ${engine} && docker compose up --detach --wait --no-recreate ${engine}`);
    await expectWorking();
  }
};

const runOperatorCommands = async ({ runBlock, sh }: Installation): Promise<void> => {
  await createClient(GATEWAY_URL).createAccount({ email: 'olga@example.com' });
  await sh(`sql "update users set is_email_verified = true where email = 'olga@example.com'"`);
  await runBlock('runbooks.md', 'On Compose and Kubernetes');
};

export const operationSteps: readonly Step[] = [
  [
    'deployment.md, Monitoring: a collector in the network `traces` gets spans of every process',
    expectTraces,
  ],
  ['runbooks.md: the commands of operators', runOperatorCommands],
  ['runbooks.md, Switch something off: a path and sign-ups stop, and work again', switchOff],
  [
    'deployment.md, Containers: from one auth-service to three and back:',
    (installation) =>
      expectNoFailure(async () => {
        await setInstances(installation, 3);
        await setInstances(installation, 1);
      }),
  ],
  ['runbooks.md, Rotate a secret:', rotate],
  [
    'deployment.md, Upgrade:',
    ({ runBlock }) => expectNoFailure(() => runBlock('deployment.md', 'Upgrade without downtime')),
  ],
  [
    'releasing.md, Roll back:',
    ({ runBlock }) => expectOnlyInterruption(() => runBlock('releasing.md', 'Roll back')),
  ],
  ['each container killed: everything works again', kill],
];
