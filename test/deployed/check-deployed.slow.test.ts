import { waitFor } from '@platform/shared/testing/poll';
import { startProcess } from '@platform/shared/testing/process';
import type { UserRecord } from '@platform/shared/testing/records';
import { expect } from 'chai';
import { usePlatform } from '../system/use-platform.ts';

/** A run takes several times as long on a busy machine. */
const RUN_SECONDS = 110;

const start = (args: readonly string[], environment: Record<string, string> = {}) =>
  startProcess(['run.mjs', 'test/deployed/check-deployed.ts', ...args], {
    environment: { ...process.env, CHECK_PASSWORD: '', ...environment },
  });

const run = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const started = start(args, environment);
  const { code } = await started.waitForExit(RUN_SECONDS);
  return { code, output: started.output() };
};

describe('npm run check:deployed', () => {
  const platform = usePlatform({ isShared: false });
  let customer: UserRecord;
  let administrator: UserRecord;
  before(async () => {
    const { records } = platform();
    customer = await records.user(['CUSTOMER', 'EMPLOYEE']);
    administrator = await records.user(['ADMIN'], { isEmailVerified: true });
    await records.project();
  });

  const accounts = () => [
    ...['--account', `customer:${customer.email}`],
    ...['--account', `administrator:${administrator.email}`],
  ];
  const countTokens = async (): Promise<number> => {
    const rows = await platform().records.query('select from token_records where user_id = any($1)', [
      [customer.id, administrator.id],
    ]);
    return rows.length;
  };
  const expectNoSecrets = (output: string) => {
    expect(output).not.to.include(customer.password);
    expect(output).not.to.match(/eyJ[\w-]+\./);
  };

  it('passes without an account, and writes nothing', async () => {
    const { records, gatewayUrl } = platform();
    const tables = 'users sessions audit_records lead_requests support_requests mail_outbox'.split(' ');
    // Failed sign-ins at unknown addresses are recorded.
    const failures = "where to_jsonb(t) ->> 'action' is distinct from 'SIGN_IN_FAILED'";
    const counts = tables.map((table) => `(select count(*) from ${table} t ${failures}) ${table}`);
    const count = () => records.query(`select ${counts}`);
    const before = await count();
    const { code, output } = await run([gatewayUrl, '--rate', '1000', '--origin', 'http://localhost:5173']);
    expect(output).to.match(/^Authentication [\d.]+: the version of this checkout, with the same content$/m);
    expect(output).to.match(/\n\d+ passed, 0 failed, [01] skipped\n$/);
    expect(code, output).to.equal(0);
    expect(await count()).to.deep.equal(before);
  });

  it('--contract passes with the contract of a release', async () => {
    const args = [platform().gatewayUrl, '--rate', '1000', '--contract', '1.0.0', ...accounts()];
    const { code, output } = await run(args, { CHECK_PASSWORD: customer.password });
    expect(output).to.match(/^Judged by the contract of release 1\.0\.0$/m);
    expect(output, output).to.match(/\n\d+ passed, 0 failed, \d+ skipped\n$/);
    expect(code, output).to.equal(0);
  });

  it('--write passes with codes from the inbox, restores the project, and leaves no token', async () => {
    const { records, stack, gatewayUrl } = platform();
    const write = ['--write', '--mail-domain', 'example.com', '--inbox', stack.inboxUrl];
    const projects = () => records.query('select id, title, deleted_at from projects order by id');
    const before = await projects();
    const { code, output } = await run([gatewayUrl, '--rate', '1000', ...accounts(), ...write], {
      CHECK_PASSWORD: customer.password,
    });
    expect(output, output).to.match(/\n\d+ passed, 0 failed, \d+ skipped\n$/);
    expect(code, output).to.equal(0);
    expectNoSecrets(output);
    expect(await projects()).to.deep.equal(before);
    expect(await countTokens()).to.equal(0);
    expect(output).to.match(/^Left behind, .*: users: none; contact forms: 2; audit records$/m);
    expect(output).to.match(/^New customer check-customer-\S+@example\.com$/m);
    const left = await records.query('select from users where email like $1', ['check-%@example.com']);
    expect(left).to.have.length(0);
  });

  it('signs out when it is interrupted', async () => {
    const started = start([platform().gatewayUrl, '--rate', '150', ...accounts()], {
      CHECK_PASSWORD: customer.password,
    });
    await waitFor('the sign-in', () => started.output().includes('✓ sign-in'), RUN_SECONDS);
    expect(await countTokens()).to.be.greaterThan(0);
    started.kill('SIGINT');
    const { code } = await started.waitForExit(RUN_SECONDS);
    expect(started.output()).to.match(/^✗ interrupted by SIGINT$/m);
    expect(started.output()).to.match(/^✓ at the end: sign out customer /m);
    expect(code).to.equal(1);
    expect(await countTokens()).to.equal(0);
  });

  it('sends a wrong password once, and skips the checks that need the sign-in', async () => {
    const account = ['--account', `customer:${customer.email}`];
    const countFailures = async () => {
      const records = await platform().records.auditOf(customer.id);
      return records.filter(({ action }) => action === 'SIGN_IN_FAILED').length;
    };
    const before = await countFailures();
    const { code, output } = await run([platform().gatewayUrl, '--rate', '1000', ...account], {
      CHECK_PASSWORD: 'wrong',
    });
    expect(output).to.match(/^✗ sign-in: .*401 INVALID_CREDENTIALS instead of 200/m);
    expect(output).to.match(/^- me, \/auth\/me and session: .*: not signed in$/m);
    expect(code).to.equal(1);
    expect(await countFailures()).to.equal(before + 1);
  });

  it('names a URL that is not a platform in one sentence', async () => {
    const { gatewayUrl, stack } = platform();
    for (const [url, reason] of [
      ['http://127.0.0.1:1', 'is not reachable: it refuses the connection.'],
      [gatewayUrl.replace('http', 'https'), 'is not reachable: it does not use TLS; try http://.'],
      [
        stack.inboxUrl,
        'is not the gateway of the platform: there is no OpenAPI document at /api/openapi.json.',
      ],
    ] as const)
      expect(await run([url]), url).to.deep.equal({ code: 1, output: `${url} ${reason}\n` });
  });

  it('exits with code 2 when its arguments are wrong', async () => {
    const account = ['--account', `customer:${customer.email}`];
    const { code, output } = await run([platform().gatewayUrl, ...account]);
    expect(output).to.match(/^--account requires the password in CHECK_PASSWORD/);
    expect(code).to.equal(2);
  });
});
