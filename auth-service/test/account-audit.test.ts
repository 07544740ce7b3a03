import { PASSWORD } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { type AuditRow, createRecords, type Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { ALL_KINDS, createAccountOfKind } from './auth-service.ts';
import { getOtherCode, useCodeService } from './code-service.ts';

const NEW_PASSWORD = 'A better horse 2';
const ORIGIN = { 'X-Request-Id': 'account-audit-1', 'X-Forwarded-For': '203.0.113.81' };

describe('account audit records', () => {
  const service = useCodeService();
  let records: Records;
  before(() => {
    records = createRecords(service().databaseUrl);
  });
  after(() => records?.close());

  for (const kind of ALL_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const createAccountAndDevice = async () => {
        const account = await createAccountOfKind(service(), kind);
        return { account, device: await client().openDevice(account) };
      };
      const toVerify = async () => {
        const { account, device } = await createAccountAndDevice();
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        return { account, device, code: await service().codeFor(account.email) };
      };
      const reset = async (email: string) => {
        expect((await client().sendResetCode({ email })).status).to.equal(200);
        const body = { email, code: await service().codeFor(email), newPassword: NEW_PASSWORD };
        return () =>
          send(service().url, 'POST', `${kind.path}/reset-password/email/code`, { headers: ORIGIN, body });
      };
      const recordOf = (action: string, userId: string, actorId: string | null) => ({
        action,
        actorId,
        targetType: 'USER',
        targetId: userId,
        requestId: ORIGIN['X-Request-Id'],
        address: ORIGIN['X-Forwarded-For'],
        details: { kind: kind.kind },
      });
      const recordsOf = async (userId: string): Promise<Omit<AuditRow, 'createdAt'>[]> =>
        (await records.auditOf(userId)).map(({ createdAt: _createdAt, ...record }) => record);

      it('records a password change with the user as the actor', async () => {
        const { account, device } = await createAccountAndDevice();
        const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        expect((await client().changePassword(device, body, ORIGIN)).status).to.equal(204);
        expect(await recordsOf(account.userId)).to.deep.equal([
          recordOf('PASSWORD_CHANGED', account.userId, account.userId),
        ]);
      });

      it('does not record a rejected password change', async () => {
        const { account, device } = await createAccountAndDevice();
        const body = { currentPassword: 'another one', newPassword: NEW_PASSWORD };
        expectError(await client().changePassword(device, body), 400, 'CURRENT_PASSWORD_WRONG');
        expect(await recordsOf(account.userId)).to.deep.equal([]);
      });

      it('records a password reset by code and the verification without an actor', async () => {
        const { userId, email } = await createAccountOfKind(service(), kind);
        expect((await (await reset(email))()).status).to.equal(204);
        expect(await recordsOf(userId)).to.deep.equal([
          recordOf('EMAIL_VERIFIED', userId, null),
          recordOf('PASSWORD_RESET', userId, null),
        ]);
        await service().redis.passTime(120);
        expect((await (await reset(email))()).status).to.equal(204);
        expect((await recordsOf(userId)).map(({ action }) => action)).to.deep.equal([
          'EMAIL_VERIFIED',
          'PASSWORD_RESET',
          'PASSWORD_RESET',
        ]);
      });

      it('records a verification once, with the user as the actor', async () => {
        const { account, device, code } = await toVerify();
        expectError(await client().verifyEmail(device, { code: getOtherCode(code) }), 400, 'CODE_INVALID');
        expect((await client().verifyEmail(device, { code }, ORIGIN)).status).to.equal(200);
        expectError(await client().verifyEmail(device, { code }), 409, 'EMAIL_ALREADY_VERIFIED');
        expect(await recordsOf(account.userId)).to.deep.equal([
          recordOf('EMAIL_VERIFIED', account.userId, account.userId),
        ]);
      });

      for (const first of ['verification', 'reset'] as const)
        it(`records one verification when verification and reset are concurrent, ${first} first`, async () => {
          const { account, device, code } = await toVerify();
          const resetNow = await reset(account.email);
          const lock = await holdLock(service().databaseUrl, 'select 1 from users where id = $1 for update', [
            account.userId,
          ]);
          const verify = () => client().verifyEmail(device, { code });
          const [one, other] = first === 'reset' ? [resetNow, verify] : [verify, resetNow];
          const pending = [one()];
          await lock.untilWaiting(1);
          pending.push(other());
          await lock.untilWaiting(2);
          await lock.release();
          for (const { status, text } of await Promise.all(pending)) expect(status, text).to.be.below(300);
          const actions = (await recordsOf(account.userId)).map(({ action }) => action).sort();
          expect(actions).to.deep.equal(['EMAIL_VERIFIED', 'PASSWORD_RESET']);
        });

      it('does not verify the e-mail when the record cannot be written', async () => {
        const { device, code } = await toVerify();
        await records.query(
          `create or replace function reject_insert() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
        );
        await records.query(
          'create trigger reject_insert before insert on audit_records for each row execute function reject_insert()',
        );
        try {
          expectError(await client().verifyEmail(device, { code }), 500, 'INTERNAL_ERROR');
        } finally {
          await records.query('drop trigger reject_insert on audit_records');
        }
        expect((await client().checkVerified(device)).body).to.deep.equal({ verified: false });
      });
    });
});
