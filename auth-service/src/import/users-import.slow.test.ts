import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { waitFor } from '@platform/shared/testing/poll';
import { runScript, startProcess } from '@platform/shared/testing/process';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { hashSync } from 'bcryptjs';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const SCRIPT = 'auth-service/src/run-users-import.ts';
const BATCH_SIZE = 1_000;

describe('npm run users:import', () => {
  const service = useAuthService({ BCRYPT_COST: '5' });
  const query = (text: string, values: unknown[] = []) => service().records.query(text, values);
  let folder: string;
  before('create a folder', async () => {
    folder = await mkdtemp(join(tmpdir(), 'platform-import-'));
  });
  after('remove the folder', () => rm(folder, { recursive: true, force: true }));

  const writeLines = async (name: string, lines: readonly (object | string)[]): Promise<string> => {
    const path = join(folder, `${name}.jsonl`);
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
    await writeFile(path, texts.join('\n'));
    return path;
  };
  /** The login of auth-service has sufficient rights for the command. */
  const environment = async () => ({
    DATABASE_URL: await withLoginOf('auth', service().databaseUrl),
    BCRYPT_COST: '5',
  });
  const run = async (...args: string[]) => runScript(SCRIPT, args, await environment());
  const lastLine = (output: string) => output.trim().split('\n').at(-1);
  /** The result without the progress. */
  const getResult = (output: string) => output.trim().replace(/^(?:Validated|Processed) .*\n/gm, '');
  const readReasons = async (path: string, name: 'rejected' | 'unverified') => {
    const text = await readFile(path.replace('.jsonl', `.${name}.jsonl`), 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  };
  const customer = (fields: object = {}) => ({ kind: 'customer', email: uniqueEmail(), ...fields });
  const countUsers = async (like: string) =>
    Number((await query('select count(*) from users where email like $1', [like]))[0]?.['count']);

  it('imports users with their fields, an audit record and an event each, and no mail', async () => {
    const given = {
      isEmailVerified: true,
      firstName: 'Ada',
      lastName: 'Lovelace',
      phone: '+44 20 7946 0958',
      language: 'de',
      createdAt: '2019-02-03T04:05:06.000Z',
    };
    const lines = [customer(given), { ...customer(given), kind: 'employee' }, customer()];
    const { code, output } = await run(await writeLines('fields', lines));
    expect(lastLine(output)).to.equal('Imported 3 users; 0 were known.');
    expect(code).to.equal(0);
    const users = await query(
      `select u.id, u.password_hash, u.is_email_verified, u.language, u.created_at, r.role, r.user_created_at = u.created_at as same,
         coalesce(c.first_name, e.first_name) as first_name, coalesce(c.phone, e.phone) as phone
       from unnest($1::text[]) with ordinality as given (email, position) join users u using (email)
       join user_roles r on r.user_id = u.id left join customer_profiles c on c.user_id = u.id
       left join employee_profiles e on e.user_id = u.id order by position`,
      [lines.map(({ email }) => email)],
    );
    const stored = {
      password_hash: null,
      is_email_verified: true,
      language: 'de',
      same: true,
      phone: given.phone,
    };
    expect(users[0]).to.include({ ...stored, role: 'CUSTOMER', first_name: 'Ada' });
    expect(users[0]?.['created_at']).to.deep.equal(new Date(given.createdAt));
    expect(users[1]).to.include({ role: 'EMPLOYEE', first_name: 'Ada', is_email_verified: true });
    expect(users[2]).to.include({ is_email_verified: false, language: 'en', first_name: null, same: true });
    for (const [index, details] of [
      { kind: 'customer', role: 'CUSTOMER', isEmailVerified: true },
      { kind: 'employee', role: 'EMPLOYEE', isEmailVerified: true },
      { kind: 'customer', role: 'CUSTOMER', isEmailVerified: false },
    ].entries()) {
      const [record, ...others] = await service().records.auditOf(users[index]?.['id']);
      expect(record).to.include({ action: 'ACCOUNT_IMPORTED', actorId: null, address: 'command line' });
      expect(record?.details).to.deep.equal(details);
      expect(others).to.deep.equal([]);
      const events = await query('select type, data from events where subject = $1', [users[index]?.['id']]);
      const { kind, isEmailVerified } = details;
      expect(events).to.deep.equal([{ type: 'user.created', data: { kind, isEmailVerified } }]);
    }
    expect(await query('select 1 from mail_outbox')).to.deep.equal([]);
  });

  it('leaves statistics of the tables for a login that owns them', async () => {
    const path = await writeLines('statistics', [customer()]);
    const owner = { ...(await environment()), DATABASE_URL: service().databaseUrl };
    expect((await runScript(SCRIPT, [path], owner)).code).to.equal(0);
    const tables = ['users', 'user_roles', 'customer_profiles', 'employee_profiles'];
    const analyzed =
      'select relname from pg_stat_user_tables where last_analyze is not null and relname = any ($1)';
    await waitFor('the statistics', async () => (await query(analyzed, [tables])).length === tables.length);
  });

  it('accepts the old password of each prefix and cost, and renews the hash', async () => {
    const hashes = ['$2a$', '$2b$', '$2y$'].flatMap((prefix) =>
      [4, 5].map((cost) => hashSync(PASSWORD, cost).replace('$2b$', prefix)),
    );
    const lines = hashes.map((passwordHash) => customer({ passwordHash }));
    expect((await run(await writeLines('passwords', lines))).code).to.equal(0);
    for (const { email } of lines) {
      const client = service().as('customer');
      await client.expectNoSignIn({ email, password: WRONG_PASSWORD });
      await client.openDevice({ email, password: PASSWORD });
      const [user] = await query('select password_hash as hash from users where email = $1', [email]);
      expect(user?.['hash']).to.match(/^\$2b\$05\$/);
      expect(
        (await client.signIn({ fingerprint: uniqueFingerprint(), body: { email, password: PASSWORD } }))
          .status,
      ).to.equal(200);
    }
  });

  it('rejects lines with their reasons, imports the others, and exits with 1', async () => {
    const [known, other, repeated] = [customer(), uniqueEmail(), customer()];
    await service().as('customer').createAccount({ email: known.email });
    await query('update users set is_email_verified = true where email = $1', [known.email]);
    await service().as('employee').createAccount({ email: other });
    const unknown = customer();
    const invalid = customer({ phone: '' });
    const separated = customer({ firstName: 'line \u2028 separator' });
    const path = await writeLines('rejected', [
      `\ufeff${JSON.stringify(known)}\r`,
      repeated,
      '',
      { ...repeated, email: repeated.email.toUpperCase() },
      customer({ email: other }),
      '{"kind":',
      invalid,
      unknown,
      separated,
    ]);
    const rejected = [
      { line: 6, reason: 'The line is not a JSON object', input: '{"kind":' },
      {
        line: 7,
        reason: 'phone must be a text of 1 to 32 characters, one of them visible, without control characters',
        input: invalid,
      },
      {
        line: 9,
        reason:
          'firstName must be a text of 1 to 100 characters, one of them visible, without control characters',
        input: separated,
      },
      {
        line: 4,
        reason: 'email is in an earlier line',
        input: { ...repeated, email: repeated.email.toUpperCase() },
      },
      {
        line: 5,
        reason: 'email belongs to a user who is not a customer',
        input: { kind: 'customer', email: other },
      },
    ];
    const end = `Rejected 5 lines: ${path.replace('.jsonl', '.rejected.jsonl')}`;
    const progress = '8 lines: 2 new, 1 known, 5 rejected';
    for (const [args, progressLines, result] of [
      [['--dry-run', path], `Validated ${progress}`, `Can import 2 users; 1 was known.`],
      [[path], `Validated ${progress}\nProcessed ${progress}`, `Imported 2 users; 1 was known.`],
      [[path], /^Validated (.*)\nProcessed \1\n/, `Imported 0 users; 3 were known.`],
    ] as const) {
      const { code, output } = await run(...args);
      expect(output).to.match(new RegExp(progressLines));
      expect(getResult(output)).to.equal(`${result}\n${end}`);
      expect(code).to.equal(1);
      expect(await readReasons(path, 'rejected')).to.deep.equal(rejected);
      expect(await countUsers(unknown.email)).to.equal(args.length === 2 ? 0 : 1);
    }
    expect((await stat(path.replace('.jsonl', '.rejected.jsonl'))).mode & 0o077).to.equal(0);
    await writeLines('rejected', [known]);
    expect((await run(path)).code).to.equal(0);
    expect(await readReasons(path, 'rejected')).to.deep.equal([]);
  });

  it('writes known lines of unverified accounts to a file, except those of an earlier run', async () => {
    const passwordHash = hashSync(PASSWORD, 4);
    const [stranger, verified] = [customer({ passwordHash }), customer({ passwordHash })];
    const imported = [customer({ passwordHash }), customer()];
    await service().as('customer').createAccount({ email: stranger.email });
    await service().as('customer').createAccount({ email: verified.email });
    await query('update users set is_email_verified = true where email = $1', [verified.email]);
    const path = await writeLines('unverified', [...imported, verified, stranger]);
    const reason = 'the address of the account is unverified: somebody else may have signed up with it';
    for (const result of ['Imported 2 users; 2 were known.', 'Imported 0 users; 4 were known.']) {
      const { code, output } = await run(path);
      const end = `Found 1 unverified account: ${path.replace('.jsonl', '.unverified.jsonl')}`;
      expect(getResult(output)).to.equal(`${result}\n${end}`);
      expect(code).to.equal(0);
      expect(await readReasons(path, 'unverified')).to.deep.equal([{ line: 4, reason, input: stranger }]);
    }
    expect((await stat(path.replace('.jsonl', '.unverified.jsonl'))).mode & 0o077).to.equal(0);
    await writeLines('unverified', [verified]);
    expect(getResult((await run(path)).output)).to.equal('Imported 0 users; 1 was known.');
    expect(await readReasons(path, 'unverified')).to.deep.equal([]);
  });

  it('rejects a file that cannot be read twice', async () => {
    const line = customer();
    const path = await writeLines('piped', [line]);
    const env = { ...process.env, ...(await environment()) };
    const command = `'${process.execPath}' ${SCRIPT} /dev/stdin`;
    for (const input of [`cat ${path} | ${command}`, `${command} < ${path}`]) {
      const { status, stderr } = spawnSync('sh', ['-c', input], { env, encoding: 'utf8' });
      expect(stderr).to.match(/^\/dev\/stdin is not a regular file[^\n]*\n$/);
      expect(status).to.equal(1);
    }
    expect((await run(folder)).output).to.match(/is not a regular file/);
    expect(await countUsers(line.email)).to.equal(0);
  });

  it('completes a run that was killed between its batches', async () => {
    const domain = `${uniqueFingerprint()}.example.com`.toLowerCase();
    const lines = Array.from({ length: 3 * BATCH_SIZE }, (_, index) =>
      customer({ email: `user-${index}@${domain}` }),
    );
    const path = await writeLines('killed', lines);
    // The second batch waits for a sign-up with one of its addresses.
    const signUp = await holdLock(service().databaseUrl, 'insert into users (email) values ($1)', [
      `user-${BATCH_SIZE}@${domain}`,
    ]);
    const killed = startProcess([SCRIPT, path], {
      environment: { ...process.env, ...(await environment()) },
    });
    await signUp.untilWaiting(1);
    process.kill(killed.pid, 'SIGKILL');
    await killed.waitForExit();
    await signUp.release();
    expect(await countUsers(`%@${domain}`)).to.equal(BATCH_SIZE);
    const { code, output } = await run(path);
    expect(lastLine(output)).to.equal('Imported 2000 users; 1000 were known.');
    expect(code).to.equal(0);
    const [counted] = await query(
      `select count(*)::int as users, count(p.id)::int as profiles, count(a.id)::int as records from users u
       left join customer_profiles p on p.user_id = u.id left join audit_records a on a.target_id = u.id::text
       where email like $1`,
      [`%@${domain}`],
    );
    expect(counted).to.deep.equal({ users: lines.length, profiles: lines.length, records: lines.length });
  });

  it('rejects a line whose address was taken by the other kind after the validation', async () => {
    const line = customer();
    const signUp = await holdLock(
      service().databaseUrl,
      `with taken as (insert into users (email) values ($1) returning id, created_at)
       insert into user_roles (user_id, role, user_created_at) select id, 'EMPLOYEE', created_at from taken`,
      [line.email],
    );
    const path = await writeLines('taken', [line]);
    const importing = run(path);
    await signUp.commitWhenWaiting(1);
    expect((await importing).code).to.equal(1);
    expect((await readReasons(path, 'rejected')).map(({ line }) => line)).to.deep.equal([1]);
  });

  it('exits with 1 and one line for wrong arguments and for a file that cannot be read', async () => {
    const usage = 'Usage: npm run users:import -- [--dry-run] <file.jsonl>\n';
    for (const args of [['--dry-run'], ['--dry', 'users.jsonl']])
      expect(await run(...args)).to.deep.equal({ code: 1, output: usage });
    const missing = await run(join(folder, 'missing.jsonl'));
    expect(missing.output).to.match(/^ENOENT[^\n]*\n$/);
    const array = await writeLines('array', [`[${'{},'.repeat(50_000)}{}]`]);
    expect((await run(array)).output).to.match(/^Line 1 is too long[^\n]*\n$/);
  });
});
