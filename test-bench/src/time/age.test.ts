import { randomUUID } from 'node:crypto';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { getRejection } from '@platform/shared/testing/rejection';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { openTime, useServices } from '../../testing/services.ts';
import { parseDuration } from './duration.ts';

const MINUTE = 60;

describe('age of an account', () => {
  const services = useServices();
  const client = () => services().auth.as('customer');
  const open = async () => {
    const { account, device } = await client().createAccountAndDevice();
    return { account, device, id: account.userId };
  };

  it('says what has ended, and what lasts with its end', async () => {
    const { account, device, id } = await open();
    await client().requestVerificationCode(device, account.email);
    const { ended, now } = await services().age(id, 16 * MINUTE);
    expect(ended).to.deep.equal(['verification-code', 'verification-code-resend-lock']);
    const lasting = now.map(({ what, until }) => [what, Math.round((until.getTime() - Date.now()) / 60_000)]);
    expect(lasting).to.deep.equal([
      ['access-token', 44],
      ['session', 104],
      ['verification-code-sent', 24 * 60 - 16],
    ]);
  });

  it('moves nothing of another account, not even at the same time', async () => {
    const [aged, other] = [await open(), await open()];
    const codes = [aged, other].map(({ account, device }) =>
      client().requestVerificationCode(device, account.email),
    );
    const [, code = ''] = await Promise.all(codes);
    await services().age(aged.id, 2 * 24 * 60 * MINUTE);
    expectError(await client().me(aged.device), 401, 'TOKEN_INVALID');
    expect((await client().me(other.device)).status).to.equal(200);
    const checked = await client().verificationEmailCodeCheck({ ...other.device, body: { code } });
    expect(checked.status).to.equal(200);
  });

  it('adds up when it is asked for twice at once', async () => {
    const { device, id } = await open();
    await Promise.all([services().age(id, 31 * MINUTE), services().age(id, 31 * MINUTE)]);
    expectError(await client().me(device), 401, 'TOKEN_INVALID');
    expect((await client().refreshToken(device)).status).to.equal(200);
  });

  it('waits for a deletion of the account, and then moves what is left', async () => {
    const { id } = await open();
    const deletion = await holdLock(services().auth.databaseUrl, 'select delete_account($1)', [id]);
    const [{ ended, now }] = await Promise.all([
      services().age(id, 60 * MINUTE),
      deletion.commitWhenWaiting(1),
    ]);
    expect([ended, now]).to.deep.equal([[], []]);
    const [user] = await services().auth.records.query<{ age: number }>(
      'select extract(epoch from now() - deleted_at)::float8 as age from users where id = $1',
      [id],
    );
    expect(user?.age).to.be.within(60 * MINUTE, 61 * MINUTE);
  });

  it('moves the log as limits count it: roles with the ADMIN who gave them, the rest with the user', async () => {
    const { admin, age, auth } = services();
    const administrator = await admin.as('ADMIN');
    const { id } = await auth.records.user(['CUSTOMER'], { isEmailVerified: true });
    await administrator.blockUser({ id });
    await administrator.unblockUser({ id });
    await administrator.assignPlatformRole({ id, body: { role: 'OPERATOR' } });
    const listOld = async () =>
      (await auth.records.auditOf(id))
        .filter(({ createdAt }) => createdAt.getTime() < Date.now() - 30 * MINUTE * 1_000)
        .map(({ action }) => action);
    await age(administrator.id, 60 * MINUTE);
    expect(await listOld()).to.deep.equal(['ROLE_ASSIGNED']);
    await age(id, 60 * MINUTE);
    expect(await listOld()).to.have.members(['ROLE_ASSIGNED', 'USER_BLOCKED', 'USER_UNBLOCKED']);
  });

  it('moves nothing without Redis', async () => {
    const { device, id } = await open();
    const { age, close } = openTime(services().auth.databaseUrl, 'redis://127.0.0.1:1');
    expect(await getRejection(age(id, 60 * MINUTE))).to.include({ status: 503 });
    await close();
    expect((await client().me(device)).status).to.equal(200);
  });

  it('returns 404 for an unknown id', async () => {
    expect(await getRejection(services().age(randomUUID(), 1))).to.include({ code: 'PERSON_NOT_FOUND' });
  });

  it('takes days, hours, minutes and seconds, 400 days at most', async () => {
    expect(parseDuration('P1DT1H1M1S')).to.equal(90_061);
    expect(parseDuration('P400D')).to.equal(400 * 86_400);
    for (const invalid of ['P400DT1S', 'P', 'PT', 'P1Y', 'P1M', '-P1D', 'PT1H1D', uniqueEmail()])
      expect(() => parseDuration(invalid), invalid).to.throw('The duration is not valid');
  });
});
