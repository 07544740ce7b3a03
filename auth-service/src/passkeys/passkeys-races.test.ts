import { CONFIRMATION } from '@platform/shared/testing/builders';
import { holdLock, lockUser } from '@platform/shared/testing/hold-lock';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid } from '../../testing/second-factor.ts';

describe('passkey races', () => {
  const service = useAuthService();

  const client = () => service().as('customer');

  it('accepts one of two sign-ins with the same assertion', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    const { body } = await client().signInPasskeyOptions({ fingerprint: 'device' });
    const assertion = authenticator.get(body);
    const lock = await lockUser(service().databaseUrl, account.userId);
    const signIns = [
      client().signInPasskey({ fingerprint: 'device', body: { response: assertion } }),
      client().signInPasskey({ fingerprint: 'device', body: { response: assertion } }),
    ];
    await lock.releaseWhenWaiting(1);
    const statuses = (await Promise.all(signIns)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 401]);
  });

  it('accepts one of two sign-ins with the same signature counter', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    const assertions = await Promise.all(
      [1, 2].map(async () =>
        authenticator.get((await client().signInPasskeyOptions({ fingerprint: 'device' })).body, {
          counter: 9,
        }),
      ),
    );
    const lock = await lockUser(service().databaseUrl, account.userId);
    const signIns = assertions.map((assertion) =>
      client().signInPasskey({ fingerprint: 'device', body: { response: assertion } }),
    );
    await lock.releaseWhenWaiting(2);
    const statuses = (await Promise.all(signIns)).map(({ status }) => status);
    expect(statuses.sort()).to.deep.equal([200, 401]);
  });

  it('opens no session for a passkey that is removed during its sign-in', async () => {
    const { account, device, authenticator, passkeyId } = await client().openAccountWithPasskey();
    const lock = await lockUser(service().databaseUrl, account.userId);
    const removal = client().passkeyDelete({ ...device, passkeyId, body: CONFIRMATION });
    await lock.untilWaiting(1);
    const signIn = client().signInWithPasskey(authenticator);
    await lock.releaseWhenWaiting(2);
    expect((await removal).status).to.equal(204);
    expectFactorInvalid(await signIn);
  });

  it('ends the session of a sign-in that finishes before the removal of its passkey', async () => {
    const opened = await client().openAccountWithPasskeyStep();
    const { account, device, authenticator, passkeyId } = opened;
    const body = { ...CONFIRMATION, recoveryCode: opened.recoveryCodes[0] };
    const lock = await lockUser(service().databaseUrl, account.userId);
    const signIn = client().signInWithPasskey(authenticator);
    await lock.untilWaiting(1);
    const removal = client().passkeyDelete({ ...device, passkeyId, body });
    await lock.releaseWhenWaiting(2);
    const other = client().toDevice(await signIn);
    expect((await removal).status).to.equal(204);
    await client().expectSignedOut(other);
  });

  it('rejects a sign-in as administrator with the passkey of a user who is deleted meanwhile', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [account.userId]);
    const signIn = service().as('administrator').signInWithPasskey(authenticator);
    await deletion.commitWhenWaiting(1);
    expectFactorInvalid(await signIn);
  });

  it('rejects a sign-in of a user who is blocked meanwhile', async () => {
    const { account, authenticator } = await client().openAccountWithPasskey();
    const lock = await holdLock(service().databaseUrl, 'update users set is_blocked = true where id = $1', [
      account.userId,
    ]);
    const signIn = client().signInWithPasskey(authenticator);
    await lock.commitWhenWaiting(1);
    expectError(await signIn, 401, 'USER_BLOCKED');
  });

  it('adds one of two passkeys whose options were requested before, which ends those of the other', async () => {
    const { account, device } = await client().openAccountWithTotp();
    const attestations = await Promise.all(
      [1, 2].map(async () =>
        createSoftwareAuthenticator().create(
          (await client().passkeyOptions({ ...device, body: CONFIRMATION })).body,
        ),
      ),
    );
    const lock = await lockUser(service().databaseUrl, account.userId);
    const additions = attestations.map((attestation) =>
      client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } }),
    );
    await lock.releaseWhenWaiting(2);
    const codes = (await Promise.all(additions)).map(({ status, body }) => body.code ?? status);
    expect(codes).to.have.members([201, 'SECOND_FACTOR_INVALID']);
    expect(await client().listPasskeys(device)).to.have.lengthOf(1);
  });

  it('adds no passkey for a session that ends meanwhile', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const { body } = await client().passkeyOptions({ ...device, body: CONFIRMATION });
    const attestation = createSoftwareAuthenticator().create(body);
    const lock = await lockUser(service().databaseUrl, account.userId);
    const addition = client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } });
    await lock.untilWaiting(1);
    await service().records.query('delete from token_records where user_id = $1', [account.userId]);
    await lock.release();
    expectError(await addition, 401, 'TOKEN_INVALID');
    const rows = await service().records.query('select 1 from passkeys where user_id = $1', [account.userId]);
    expect(rows).to.deep.equal([]);
  });

  it('finishes one of two second steps with the same assertion', async () => {
    const { account, authenticator } = await client().openAccountWithPasskeyStep();
    const { challenge, fingerprint, options } = await client().startPasskeyStep(account);
    const assertion = authenticator.get(options);
    const responses = await Promise.all(
      [1, 2].map(() => client().signInSecondFactor({ fingerprint, body: { challenge, passkey: assertion } })),
    );
    expect(responses.map(({ status }) => status).sort()).to.deep.equal([200, 401]);
  });
});
