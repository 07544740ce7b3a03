import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

describe('sessions after an e-mail verification', () => {
  const service = useAuthService({ NEW_DEVICE_CODE: 'on' });
  const client = () => service().as('customer');
  const openDevices = async () => {
    const account = await client().createAccount();
    const [laptop, phone, tablet] = [
      await client().openDevice(account),
      await client().openDevice(account),
      await client().openDevice(account),
    ];
    return { account, laptop, phone, tablet };
  };

  it('are the one that verified and the one that requested this very code, which can be ended', async () => {
    const { account, laptop, phone, tablet } = await openDevices();
    await client().requestVerificationCode(laptop, account.email);
    await service().redis.passTime(120);
    const code = await client().requestVerificationCode(tablet, account.email);
    expect((await client().verificationEmailCodeCheck({ ...phone, body: { code } })).status).to.equal(200);

    expectError(await client().me(laptop), 401, 'TOKEN_INVALID');
    expect((await client().me(tablet)).body.user.isEmailVerified).to.equal(true);
    const { data } = (await client().listSessions(phone)).body;
    const ids = data.map(({ id, isCurrent }: { id: string; isCurrent: boolean }) => [id, isCurrent]);
    expect(ids).to.have.deep.members([
      [phone.sessionId, true],
      [tablet.sessionId, false],
    ]);
    const end = { accessToken: phone.accessToken, sessionId: tablet.sessionId };
    expect((await client().endSession(end)).status).to.equal(204);
    expectError(await client().me(tablet), 401, 'TOKEN_INVALID');
  });

  it('do not make the device known that only requested the code', async () => {
    const { account, laptop, phone } = await openDevices();
    const code = await client().requestVerificationCode(laptop, account.email);
    expect((await client().verificationEmailCodeCheck({ ...phone, body: { code } })).status).to.equal(200);

    const { email, password } = account;
    const signIn = ({ fingerprint }: { fingerprint: string }) =>
      client().signIn({ fingerprint, body: { email, password } });
    expectError(await signIn(laptop), 401, 'SECOND_FACTOR_REQUIRED');
    expect((await signIn(phone)).status).to.equal(200);
  });
});
