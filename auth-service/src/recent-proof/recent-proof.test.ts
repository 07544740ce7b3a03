import { ADMINISTRATOR, accessHeaders, bearer, PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { loadOperations } from '@platform/shared/testing/openapi-operations';
import {
  expectProofJudged,
  PROOF_NAMES,
  type ProofName,
  setProof,
} from '@platform/shared/testing/recent-proof';
import { expectError, send } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectFactorInvalid, expectWrongPassword, WRONG_CODE } from '../../testing/second-factor.ts';

/** The schemes that accept the access token of an administrator. */
const SCHEMES = ['administratorAccess', 'administratorRegistration', 'universalAccess'];
const OPERATIONS = (await loadOperations()).filter(({ scheme = '' }) => SCHEMES.includes(scheme));

describe('recent proof', () => {
  const service = useAuthService();
  const client = () => service().as('administrator');
  const forget = (userId: string, proof?: ProofName) =>
    setProof(service().databaseUrl, { userId, ...(proof && { proof }) });
  const prove = (device: Device, body: object) => client().administratorProve({ ...device, body });
  /** Registers an administrator, which needs the proof. */
  const register = (device: Device) =>
    client().administratorRegister({ ...device, body: { email: uniqueEmail(), password: PASSWORD } });
  const expectAccepted = async (device: Device, proof: Promise<HttpResponse>) => {
    const { status, text } = await proof;
    expect(status, text).to.equal(204);
    expect((await register(device)).status).to.equal(201);
  };
  const expectMissing = async (device: Device) => expectError(await register(device), 403, 'PROOF_REQUIRED');
  const age = async <Opened extends { account: TestAccount }>(opening: Promise<Opened>): Promise<Opened> => {
    const opened = await opening;
    await forget(opened.account.userId);
    return opened;
  };

  for (const proof of PROOF_NAMES)
    it(`is judged before the contract, and only where the document says so: ${proof}`, async () => {
      const { account } = await client().openVerifiedAccount();
      for (const operation of OPERATIONS) {
        const device = await client().openDevice(account);
        await forget(account.userId, proof);
        const path = operation.template.replace('{provider}', 'company').replace(/\{\w+\}/g, 'none');
        const call = { headers: accessHeaders(device), body: operation.body && {} };
        expectProofJudged(operation, proof, await send(service().url, operation.method, path, call));
      }
    });

  it('is judged after the token and the workspace', async () => {
    const user = await service().records.user(['OPERATOR']);
    const operator = await client().openDevice(user);
    await forget(user.id);
    expectError(await register(operator), 403, 'WORKSPACE_FORBIDDEN');
    const { device } = await age(client().openVerifiedAccount());
    await client().signOut(device);
    expectError(await register(device), 401, 'TOKEN_INVALID');
  });

  for (const role of PLATFORM_ROLES)
    it(`is renewed by the password of an account without a factor: ${role}`, async () => {
      const user = await service().records.user([role]);
      const device = await client().openDevice(user);
      await forget(user.id);
      expect((await prove(device, { currentPassword: user.password })).status).to.equal(204);
      const text = `select proved_at > now() - interval '1 minute' as recent from token_records where user_id = $1`;
      expect(await service().records.query(text, [user.id])).to.deep.equal([{ recent: true }]);
    });

  it('belongs to the session, and survives a refresh, but no sign-out', async () => {
    const { account, device } = await client().openVerifiedAccount();
    const other = await client().openDevice(account);
    await forget(account.userId);
    await expectAccepted(device, prove(device, { currentPassword: PASSWORD }));
    await expectMissing(other);
    const refreshed = await client().refreshed(device);
    expect((await register(refreshed)).status).to.equal(201);
    await client().signOut(refreshed);
    expectError(await register(refreshed), 401, 'TOKEN_INVALID');
  });

  it('needs the factor that is due in addition to the password', async () => {
    const { device, secret, recoveryCodes } = await age(client().openAccountWithTotp());
    const response = await prove(device, { currentPassword: PASSWORD });
    expectError(response, 403, 'FACTOR_REQUIRED');
    expect(response.body.factors).to.have.members(['totp', 'recovery-code']);
    expectWrongPassword(
      await prove(device, { totpCode: totpCode(secret, 1), currentPassword: WRONG_PASSWORD }),
    );
    await expectMissing(device);
    await expectAccepted(
      device,
      prove(device, { currentPassword: PASSWORD, recoveryCode: recoveryCodes[0] }),
    );
  });

  it('is accepted from a passkey alone if its authenticator has verified the user', async () => {
    const { account, device, authenticator } = await age(client().openAccountWithPasskey());
    const createAssertion = async (overrides: object) => {
      const { body } = await client().secondFactorOptions(device);
      return { passkey: authenticator.get(body, overrides) };
    };
    expectFactorInvalid(await prove(device, await createAssertion({ userVerified: false })));
    await expectMissing(device);
    const withPassword = { ...(await createAssertion({ userVerified: false })), currentPassword: PASSWORD };
    expect((await prove(device, withPassword)).status).to.equal(204);
    await forget(account.userId);
    const passkey = await createAssertion({});
    await expectAccepted(device, prove(device, passkey));
    expectFactorInvalid(await prove(device, passkey));
  });

  it('checks everything that is sent, also a factor that the account does not have', async () => {
    const { device, authenticator } = await age(client().openAccountWithPasskey());
    const passkey = await client().createAssertion(device, authenticator);
    expectWrongPassword(await prove(device, { passkey, currentPassword: WRONG_PASSWORD }));
    const { device: without } = await age(client().openVerifiedAccount());
    expectFactorInvalid(await prove(without, { currentPassword: PASSWORD, totpCode: WRONG_CODE }));
    await expectMissing(without);
  });

  it('of an account without a password is a factor, or a recent sign-in', async () => {
    const { device, account, secret } = await age(client().openAccountWithTotp());
    const update = (text: string) => service().records.query(text, [account.userId]);
    await update('update users set password_hash = null where id = $1');
    expectError(await prove(device, {}), 403, 'FACTOR_REQUIRED');
    await update(`update token_records set authenticated_at = now() - interval '301 s' where user_id = $1`);
    expectError(await prove(device, {}), 403, 'REAUTHENTICATION_REQUIRED');
    await expectAccepted(device, prove(device, { totpCode: totpCode(secret, 1) }));
  });

  it('is rejected without a token, and for tokens of another kind', async () => {
    const { device } = await service().as('customer').createAccountAndDevice();
    const request = (headers: object) =>
      send(service().url, 'POST', `${ADMINISTRATOR.path}/proof`, {
        headers: { ...headers },
        body: { currentPassword: PASSWORD },
      });
    expectError(await request({}), 401, 'TOKEN_INVALID');
    expectError(await request(bearer(device)), 401, 'TOKEN_INVALID');
  });
});
