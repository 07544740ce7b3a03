import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { GATEWAY_PORT, INBOX_PORT, type Installation, type Step } from './installation.ts';
import { createClient } from './load.ts';

export const GATEWAY_URL = `http://127.0.0.1:${GATEWAY_PORT}`;
const ADMINISTRATOR = { email: 'admin@example.com', password: 'correct horse battery' };
const CHECK_DEPLOYED = ['run.mjs', 'test/deployed/check-deployed.ts', GATEWAY_URL];

const checkDeployed = async (): Promise<string> => {
  const customer = await createClient(GATEWAY_URL).createAccount({ password: ADMINISTRATOR.password });
  const { sendOrThrow } = createHttpClient(GATEWAY_URL);
  await sendOrThrow({ method: 'POST', path: '/api/v1/auth/admin/register', body: ADMINISTRATOR });
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      ...CHECK_DEPLOYED,
      ...['--rate', '1000', '--origin', 'http://localhost:5173'],
      ...['--account', `customer:${customer.email}`, '--account', `administrator:${ADMINISTRATOR.email}`],
      ...['--write', '--mail-domain', 'example.com', '--inbox', `http://127.0.0.1:${INBOX_PORT}`],
    ],
    { env: { ...process.env, CHECK_PASSWORD: ADMINISTRATOR.password } },
  ).catch((error: { stdout: string }) => {
    throw new Error(
      error.stdout
        .split('\n')
        .filter((line) => line.startsWith('✗'))
        .join('\n'),
    );
  });
  return /\d+ passed.*/.exec(stdout)?.[0] ?? '';
};

const waitForJourney = async ({ runBlock, sh }: Installation): Promise<void> => {
  await runBlock('deployment.md', 'Probe');
  const readMetrics = `fetch('http://127.0.0.1:9304/metrics').then((response) => response.text()).then(console.log)`;
  await waitFor('a successful journey', async () => {
    const metrics = await sh(`docker compose exec -T probe node --eval "${readMetrics}"`);
    return /^probe_journey_success\{service="probe"\} 1$/m.test(metrics);
  });
};

export const startSteps: readonly Step[] = [
  [
    'deployment.md, Containers: builds and starts; every container is healthy',
    async ({ runBlock }) => {
      await runBlock('deployment.md', 'Containers');
    },
  ],
  ['check:deployed --write:', checkDeployed],
  ['deployment.md, Probe: its journey succeeds', waitForJourney],
];
