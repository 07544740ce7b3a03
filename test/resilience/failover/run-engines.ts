import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startInbox } from '@platform/dev/inbox/inbox';
import { URL_VARIABLES } from '@platform/migrate/logins';
import { ADMINISTRATOR, createAuthClient } from '@platform/shared/testing/auth-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { waitFor } from '@platform/shared/testing/poll';
import { runScript } from '@platform/shared/testing/process';
import { createRecords } from '@platform/shared/testing/records';
import { removeData } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import { watchProcesses } from '@platform/shared/testing/watch-processes';
import { createPlatform, findPorts } from '../platform.ts';
import { type CaseUrls, ENGINE_CASES, type EngineCase } from './engine-cases.ts';
import { recordTranscript } from './transcript.ts';

const withDataDir = async (work: (dataDir: string) => Promise<void>): Promise<void> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platform-engine-'));
  await chmod(dataDir, 0o755);
  try {
    await work(dataDir);
  } finally {
    await removeData(dataDir);
  }
};

/** `npm run migrate`, which also creates the logins of the processes. */
const migrate = ({ migrationUrl, processUrls, settings }: CaseUrls) =>
  runScript('migrate/src/run-migrations.ts', [], {
    ...settings,
    DATABASE_URL: migrationUrl,
    [URL_VARIABLES.auth]: processUrls.auth,
    [URL_VARIABLES.admin]: processUrls.admin,
    [URL_VARIABLES.worker]: processUrls.worker,
  });

const signInAdministrator = async (databaseUrl: string, gatewayUrl: string): Promise<string> => {
  const records = createRecords(databaseUrl);
  try {
    const administrator = await records.user(['ADMIN']);
    const { sendOrThrow } = createHttpClient(gatewayUrl);
    return (await createAuthClient(gatewayUrl, ADMINISTRATOR, sendOrThrow).openDevice(administrator))
      .accessToken;
  } finally {
    await records.close();
  }
};

/** With a certificate of another CA, migrations fail, and a process reports both engines. */
const checkRefusal = async (report: Report, name: string, urls: CaseUrls, smtpUrl: string): Promise<void> => {
  const { code, output } = await migrate(urls);
  report.check(
    code !== 0 && /certificate/.test(output),
    `${name}: migrate refuses a certificate of another CA (${output.trim().slice(0, 120)})`,
  );
  const platform = createPlatform(urls, smtpUrl, watchProcesses(), urls.settings);
  const auth = await platform.create('auth-service');
  const starting = auth.start().catch(() => undefined);
  const { send } = createHttpClient(auth.opsUrl);
  let failing: string[] = [];
  await waitFor(
    `${name}: the certificate of Redis is rejected, and readiness is reported`,
    async () => {
      const { failure, body } = await send({ path: '/readyz' });
      failing = failure ? [] : [...(body.failing ?? []), ...(body.degraded ?? [])];
      return auth.output().includes('certificate') && failing.length > 0;
    },
    60,
  );
  report.check(
    failing.includes('postgres') && failing.includes('redis'),
    `${name}: a process refuses them, too (readyz names ${failing.join(', ')})`,
  );
  platform.killAll();
  await starting;
};

const runCase = async (report: Report, { name, start }: EngineCase, dataDir: string): Promise<void> => {
  const engines = await start(dataDir);
  const [port = 0, smtpPort = 0] = await findPorts(2);
  const inbox = await startInbox({
    ...{ port, smtpPort, directory: join(dataDir, 'inbox'), logFile: join(dataDir, 'inbox.log') },
  });
  const platform = createPlatform(engines, inbox.smtpUrl, watchProcesses(), engines.settings);
  try {
    const { code, output } = await migrate(engines);
    report.log(`    migrate: ${output.trim().slice(0, 60)}…`);
    const [auth, admin] = [await platform.create('auth-service'), await platform.create('admin-service')];
    const gateway = await platform.createGateway([auth], [admin]);
    const worker = await platform.create('mailer-worker');
    await Promise.all([auth, admin, gateway, worker].map((service) => service.start()));
    const adminToken = await signInAdministrator(engines.databaseUrl, gateway.url);
    const { lines, failed } = await recordTranscript({
      gatewayUrl: gateway.url,
      inboxUrl: inbox.url,
      adminToken,
    });
    for (const line of lines) report.log(`    ${line}`);
    report.check(
      code === 0 && failed.length === 0,
      `${name}: migrations, sign-in, code mail, refresh and list (failed: ${failed.join(', ') || 'none'})`,
    );
    if (engines.refused) await checkRefusal(report, name, engines.refused, inbox.smtpUrl);
  } finally {
    platform.killAll();
    await inbox.stop();
    await engines.stop();
  }
};

/** Starts the platform on each kind of engine, and prints a transcript of its first requests. */
export const runEngines = async (report: Report): Promise<void> => {
  for (const engineCase of ENGINE_CASES) {
    report.log(`\n${engineCase.name}`);
    const obstacle = engineCase.findObstacle();
    if (obstacle === undefined) await withDataDir((dataDir) => runCase(report, engineCase, dataDir));
    else report.skip(`${engineCase.name}: ${obstacle}`);
  }
};
