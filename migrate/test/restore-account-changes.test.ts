import { addSecondFactor, countFactors, type FactorCounts } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { toLine, useRestoredDatabase } from './restored-database.ts';

describe('npm run restore:secure with changes of second factors and accounts', () => {
  const { records, runWithLog, stateOf } = useRestoredDatabase();

  const FACTOR_CHANGES: Record<string, Partial<FactorCounts>> = {
    TOTP_ENABLED: {},
    PASSKEY_ADDED: {},
    RECOVERY_CODE_USED: {},
    TOTP_DISABLED: { totp: 0 },
    PASSKEY_REMOVED: { passkeys: 0 },
    RECOVERY_CODES_REPLACED: { recoveryCodes: 0 },
    SECOND_FACTOR_RESET: { totp: 0, passkeys: 0, recoveryCodes: 0 },
  };
  for (const [action, removed] of Object.entries(FACTOR_CHANGES)) {
    const names = Object.keys(removed);
    it(`removes ${names.join(', ') || 'no factor'} after ${action}, and makes the password unusable`, async () => {
      const [user, other] = [await records().user(['CUSTOMER']), await records().user(['CUSTOMER'])];
      for (const { id } of [user, other]) {
        await addSecondFactor(records(), id);
        await records().query(
          "insert into identities (user_id, provider, issuer, subject) values ($1::uuid, 'company', 'https://id.example.com', $1)",
          [id],
        );
      }
      const { code, output } = await runWithLog(toLine({ action, targetId: user.id }));
      expect(code, output).to.equal(0);
      expect(output).to.include(`${action} 1`).and.include(`must reset their password:\n  ${user.email}\n`);
      const before = { totp: 1, passkeys: 1, recoveryCodes: 2 };
      expect(await countFactors(records(), user.id)).to.deep.equal({
        ...before,
        ...removed,
        version: 2,
      });
      expect(await countFactors(records(), other.id)).to.deep.equal({ ...before, version: 1 });
      const identities = await records().query('select user_id as id from identities');
      expect(identities).to.deep.equal([{ id: other.id }]);
      expect([
        (await stateOf(user.id))?.passwordHash,
        (await stateOf(other.id))?.passwordHash.slice(0, 2),
      ]).to.deep.equal(['!', '$2']);
    });
  }

  it('removes the recovery codes together with the last factor', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await addSecondFactor(records(), id);
    await runWithLog(
      toLine({ action: 'TOTP_DISABLED', targetId: id, time: '2026-11-20T10:00:00.000Z' }),
      toLine({ action: 'PASSKEY_REMOVED', targetId: id, time: '2026-11-20T10:01:00.000Z' }),
    );
    expect(await countFactors(records(), id)).to.deep.equal({
      totp: 0,
      passkeys: 0,
      recoveryCodes: 0,
      version: 3,
    });
  });

  it('does not repeat factor changes that the database has', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await addSecondFactor(records(), id);
    await records().query(
      `insert into audit_records (action, target_type, target_id, request_id, address)
       values ('TOTP_ENABLED', 'USER', $1, 'enabled', '127.0.0.1')`,
      [id],
    );
    const { output } = await runWithLog(
      toLine({ action: 'TOTP_ENABLED', targetId: id, requestId: 'enabled' }),
    );
    expect(output).to.include('1 that the database has,').and.not.to.include('must reset');
    expect((await stateOf(id))?.passwordHash).to.match(/^\$2/);
  });

  it('removes the identities after IDENTITY_UNLINKED', async () => {
    const { id } = await records().user(['CUSTOMER']);
    await records().query(
      "insert into identities (user_id, provider, issuer, subject) values ($1, 'company', 'issuer', 'subject')",
      [id],
    );
    const { code, output } = await runWithLog(toLine({ action: 'IDENTITY_UNLINKED', targetId: id }));
    expect(code, output).to.equal(0);
    expect(await records().query('select 1 from identities where user_id = $1', [id])).to.deep.equal([]);
    expect((await stateOf(id))?.passwordHash).to.match(/^\$2/);
  });

  it('blocks users whose e-mail address has changed, even after a repeated unblock', async () => {
    const { id, email } = await records().user(['CUSTOMER']);
    const lines = [
      toLine({ action: 'EMAIL_CHANGED', targetId: id, time: '2026-11-20T10:00:00.000Z' }),
      toLine({ action: 'USER_BLOCKED', targetId: id, time: '2026-11-20T10:01:00.000Z' }),
      toLine({ action: 'USER_UNBLOCKED', targetId: id, time: '2026-11-20T10:02:00.000Z' }),
    ];
    const { output } = await runWithLog(...lines);
    expect(output).to.include(`until you have repeated their change:\n  ${email} EMAIL_CHANGED\n`);
    expect(await stateOf(id)).to.include({ isBlocked: true, passwordHash: '!' });
    const blocks = (await records().auditOf(id)).filter(({ requestId }) => requestId === 'restore-secure');
    expect(blocks.map(({ action, details }) => [action, details])).to.deep.equal([
      ['USER_BLOCKED', { reason: 'EMAIL_CHANGED' }],
    ]);
    await records().block(id, false);
    expect((await runWithLog(...lines)).output).not.to.include('blocked until');
    expect((await stateOf(id))?.isBlocked).to.equal(false);
  });

  it('deletes the accounts that were deleted', async () => {
    const user = await records().user(['CUSTOMER']);
    await addSecondFactor(records(), user.id);
    const deletion = [
      toLine({ action: 'PASSWORD_CHANGED', targetId: user.id, time: '2026-11-20T10:00:00.000Z' }),
      toLine({ action: 'EMAIL_CHANGED', targetId: user.id, time: '2026-11-20T10:01:00.000Z' }),
      toLine({ action: 'ACCOUNT_DELETED', targetId: user.id, time: '2026-11-20T10:02:00.000Z' }),
    ];
    const { code, output } = await runWithLog(...deletion);
    expect(code, output).to.equal(0);
    expect(output)
      .to.include('ACCOUNT_DELETED 1')
      .and.not.to.match(/must reset|blocked until/);
    const read = () =>
      records().query('select email, deleted_at, password_hash, is_blocked from users where id = $1', [
        user.id,
      ]);
    const [deleted] = await read();
    expect(deleted).to.deep.include({ email: null, password_hash: 'deleted', is_blocked: false });
    expect(await countFactors(records(), user.id)).to.include({
      totp: 0,
      passkeys: 0,
      recoveryCodes: 0,
    });
    expect((await runWithLog(...deletion)).output).to.include('3 that the database has,');
    expect(await read()).to.deep.equal([deleted]);
  });

  it('blocks an account that it cannot delete, and deletes it once nothing prevents it', async () => {
    const { id, email } = await records().user(['CUSTOMER', 'OPERATOR']);
    await addSecondFactor(records(), id);
    const deletion = toLine({ action: 'ACCOUNT_DELETED', targetId: id });
    for (let run = 0; run < 2; run += 1) {
      const { code, output } = await runWithLog(deletion);
      expect(code, output).to.equal(0);
      expect(output).to.include(`  ${email} ACCOUNT_DELETED PLATFORM_ROLE_TAKEN\n`);
      expect(output).not.to.match(/ACCOUNT_DELETED 1|must reset/);
    }
    expect(await stateOf(id)).to.include({ isBlocked: true, passwordHash: '!' });
    expect(await countFactors(records(), id)).to.include({ totp: 0, passkeys: 0, recoveryCodes: 0 });
    expect(await records().auditOf(id)).to.have.lengthOf(1);
    await records().query("delete from user_roles where role = 'OPERATOR'");
    expect((await runWithLog(deletion)).output).to.include('ACCOUNT_DELETED 1');
    expect(await records().query('select email from users where id = $1', [id])).to.deep.equal([
      { email: null },
    ]);
  });
});
