import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createPasswordHasher } from '@platform/shared/passwords/password-hasher';
import { expect } from 'chai';
import pg from 'pg';
import { ADMIN_ID, toLine, useRestoredDatabase } from './restored-database.ts';

const SECRET = 'a-secret-of-the-tests-that-signs-nothing-else';

describe('npm run restore:secure', () => {
  const { records, databaseUrl, directory, run, runWithLog, stateOf } = useRestoredDatabase();
  const countTokens = async () => (await records().query('select 1 from token_records')).length;

  it('ends the sessions of all users, and keeps their devices', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().registeredToken(id, { secret: SECRET });
    await records().query(
      `insert into sessions (user_id, token_id, fingerprint, ip) select user_id, id, 'device', '127.0.0.1' from token_records`,
    );
    const { code, output } = await run('--without-changes');
    expect(code, output).to.equal(0);
    expect(output).to.include('Sessions ended: 1');
    expect(await countTokens()).to.equal(0);
    expect(await records().query('select token_id from sessions')).to.deep.equal([{ token_id: null }]);
  });

  it('repeats blocks and unblocks in their order, and inserts their audit records', async () => {
    const [blocked, unblocked] = [await records().user(['CUSTOMER']), await records().user(['CUSTOMER'])];
    const at = (minute: number) => `2026-11-20T10:0${minute}:00.000Z`;
    const { code, output } = await runWithLog(
      toLine({ action: 'USER_UNBLOCKED', targetId: unblocked.id, time: at(2) }),
      toLine({ action: 'USER_BLOCKED', targetId: unblocked.id, time: at(1) }),
      toLine({ action: 'USER_BLOCKED', targetId: blocked.id, time: at(3), requestId: 'block-1' }),
    );
    expect(code, output).to.equal(0);
    expect(output).to.include('USER_BLOCKED 2').and.to.include('USER_UNBLOCKED 1');
    expect(
      [await stateOf(blocked.id), await stateOf(unblocked.id)].map((state) => state?.isBlocked),
    ).to.deep.equal([true, false]);
    const [record] = await records().auditOf(blocked.id);
    expect(record).to.deep.include({
      action: 'USER_BLOCKED',
      actorId: ADMIN_ID,
      requestId: 'block-1',
      address: '203.0.113.9',
      details: { repeatedFrom: at(3) },
    });
  });

  for (const action of ['PASSWORD_CHANGED', 'PASSWORD_RESET'])
    it(`makes the restored password unusable after ${action}, and lists the user`, async () => {
      const { id, email, password } = await records().user(['CUSTOMER']);
      const other = await records().user(['CUSTOMER']);
      const { code, output } = await runWithLog(toLine({ action, targetId: id }));
      expect(code, output).to.equal(0);
      expect(output).to.include(`must reset their password:\n  ${email}\n`);
      const hasher = createPasswordHasher({ cost: 4, maxQueue: 8 });
      const matches = async (userId: string) =>
        hasher.compare(password, (await stateOf(userId))?.passwordHash);
      expect([await matches(id), await matches(other.id)]).to.deep.equal([false, true]);
      await hasher.close();
    });

  it('removes the platform role that was removed, keeps other roles, and lists the remaining ones', async () => {
    const { id } = await records().user(['CUSTOMER', 'ADMIN']);
    const operator = await records().user(['OPERATOR']);
    const { output } = await runWithLog(toLine({ action: 'ROLE_REMOVED', targetId: id }));
    expect((await stateOf(id))?.roles).to.deep.equal(['CUSTOMER']);
    expect(output).to.include(`with your records:\n  OPERATOR ${operator.email}\n`);
  });

  it('ignores changes that the database has, and a second run', async () => {
    const user = await records().user(['CUSTOMER']);
    await records().query(
      `insert into audit_records (action, target_type, target_id, request_id, address)
       values ('PASSWORD_CHANGED', 'USER', $1, 'before-the-dump', '127.0.0.1')`,
      [user.id],
    );
    const known = toLine({ action: 'PASSWORD_CHANGED', targetId: user.id, requestId: 'before-the-dump' });
    const block = toLine({ action: 'USER_BLOCKED', targetId: user.id, time: '2026-11-20T10:00:00.000Z' });
    expect((await runWithLog(known, block)).output).to.include('1 that the database has,');
    expect((await stateOf(user.id))?.passwordHash).to.match(/^\$2/);
    await records().block(user.id, false);
    const { output } = await runWithLog(known, block);
    expect(output).to.include('2 that the database has,').and.not.to.include('Repeated changes');
    expect((await stateOf(user.id))?.isBlocked).to.equal(false);
  });

  it('repeats a change whose request id a client has used before', async () => {
    const user = await records().user(['CUSTOMER']);
    const change = { action: 'PASSWORD_CHANGED', targetId: user.id, requestId: 'constant' };
    await runWithLog(toLine({ ...change, time: '2026-11-20T10:00:00.000Z' }));
    const { output } = await runWithLog(toLine({ ...change, time: '2026-11-20T10:05:00.000Z' }));
    expect(output).to.include('PASSWORD_CHANGED 1');
  });

  it('reads lines with the prefix of a log collector, and counts unknown users', async () => {
    const user = await records().user(['CUSTOMER']);
    const { output } = await runWithLog(
      'auth-service-1  | starting {not json',
      `admin-service-1  | ${toLine({ action: 'USER_BLOCKED', targetId: user.id })}`,
      toLine({ action: 'USER_BLOCKED', targetId: randomUUID() }),
      toLine({ action: 'SIGN_IN_FAILED', targetId: 'unknown' }),
    );
    expect(output).to.include('USER_BLOCKED 1').and.to.include(' 1 of users that it does not have');
    expect((await stateOf(user.id))?.isBlocked).to.equal(true);
  });

  it('changes nothing without a source, with the wrong file, or with a malformed line', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().registeredToken(id, { secret: SECRET });
    const refused = [
      [await run(), /^Usage: /],
      [await run('--changes'), /^Usage: /],
      [await run(join(directory(), 'missing')), /ENOENT/],
      [await runWithLog('{"msg":"request","status":200}'), /no audit record/],
      [await runWithLog(toLine({ action: 'USER_BLOCKED', targetId: 'unknown' })), /^Line 1: USER_BLOCKED/],
      [await runWithLog(toLine({ action: 'USER_BLOCKED', targetId: id, time: 'today' })), /^Line 1: /],
    ] as const;
    for (const [{ code, output }, message] of refused) {
      expect(output).to.match(message);
      expect(code).to.equal(1);
    }
    expect(await countTokens()).to.equal(1);
  });

  it('refuses to run while a process is connected', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().registeredToken(id, { secret: SECRET });
    const client = new pg.Client({
      connectionString: databaseUrl(),
      application_name: 'auth-service',
    });
    await client.connect();
    const { code, output } = await run('--without-changes');
    await client.end();
    expect([code, output]).to.deep.equal([1, 'Stop auth-service: connected to this database\n']);
    expect(await countTokens()).to.equal(1);
  });
});
