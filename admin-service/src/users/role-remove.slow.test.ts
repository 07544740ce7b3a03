import { uniqueEmail } from '@platform/shared/testing/builders';
import { runScript } from '@platform/shared/testing/process';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { useDatabase } from '@platform/shared/testing/use-database';
import { expect } from 'chai';

describe('npm run role:remove', () => {
  const { url, records } = useDatabase();
  /** The login of admin-service has sufficient rights. */
  const run = async (...args: string[]) =>
    runScript('admin-service/src/run-role-remove.ts', args, {
      DATABASE_URL: await withLoginOf('admin', url()),
    });
  const rolesOf = (userId: string) =>
    records().query('select role from user_roles where user_id = $1', [userId]);

  it('does not remove the only ADMIN, and reports LAST_ADMINISTRATOR', async () => {
    const { id, email } = await records().user(['ADMIN']);
    const { code, output } = await run(email);
    expect({ code, output }).to.deep.equal({
      code: 1,
      output: 'LAST_ADMINISTRATOR: The user is the only ADMIN; register another one first\n',
    });
    expect(await rolesOf(id)).to.deep.equal([{ role: 'ADMIN' }]);
  });

  it('removes the role, ends the sessions, and prints one line', async () => {
    const { id, email } = await records().user(['OPERATOR', 'CUSTOMER']);
    await records().registeredToken(id, { secret: 'a-secret-of-the-tests-000000000000000001' });
    const { code, output } = await run(email.toUpperCase());
    expect({ code, output }).to.deep.equal({
      code: 0,
      output: `${email.toUpperCase()} is no longer OPERATOR. All sessions have ended.\n`,
    });
    expect(await rolesOf(id)).to.deep.equal([{ role: 'CUSTOMER' }]);
    expect(await records().query('select 1 from token_records where user_id = $1', [id])).to.deep.equal([]);
    const [record] = await records().auditOf(id);
    expect(record).to.deep.include({ action: 'ROLE_REMOVED', actorId: null, address: 'command line' });
    const text = `select mail->>'template' as template from mail_outbox where mail->>'to' = $1`;
    expect(await records().query(text, [email])).to.deep.equal([{ template: 'platform-role-removed' }]);
  });

  it('deletes with --erase the account of a user who is only an administrator', async () => {
    const { id, email } = await records().user(['ARBITER']);
    const { code, output } = await run(email, '--erase');
    expect({ code, output }).to.deep.equal({
      code: 0,
      output: `${email} is no longer ARBITER. The account is deleted.\n`,
    });
    const deleted = 'select email, deleted_at is not null as "isDeleted" from users where id = $1';
    expect(await records().query(deleted, [id])).to.deep.equal([{ email: null, isDeleted: true }]);
  });

  it('exits with 1 and one line for an unknown user', async () => {
    const output = 'USER_NOT_FOUND: User not found\n';
    expect(await run(uniqueEmail())).to.deep.include({ code: 1, output });
  });

  it('exits with 1 and the usage without an address, and with advice without a database', async () => {
    expect(await run()).to.deep.include({
      code: 1,
      output: 'Usage: npm run role:remove -- [--erase] <email>\n',
    });
    const { code, output } = await runScript('admin-service/src/run-role-remove.ts', [uniqueEmail()], {
      DATA_DIR: '/nonexistent',
    });
    expect(code).to.equal(1);
    expect(output).to.match(/^No database: set DATABASE_URL[^\n]*\n$/);
  });
});
