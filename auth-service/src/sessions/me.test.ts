import { ACCOUNT_KINDS, CUSTOMER, otherKind } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { addKind, describeEachKind, useAuthService } from '../../testing/auth-service.ts';

describe('me', () => {
  const service = useAuthService();

  describeEachKind(ACCOUNT_KINDS, service, (client) => {
    it('returns the user, the profile and the session of the sign-in', async () => {
      const account = await client().createAccount({ lastName: 'Hopper' });
      const signIn = await client().signIn({
        fingerprint: 'the device',
        body: { email: account.email, password: account.password },
      });
      const { status, body, headers } = await client().me(client().toDevice(signIn));

      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('no-store');
      expect(body).to.have.all.keys('user', 'profile', 'session');
      expect(body.user).to.deep.equal(signIn.body.user);
      expect(body.session).to.deep.equal(signIn.body.session);
      expect(body.profile).to.include({
        id: account.profileId,
        userId: account.userId,
        lastName: 'Hopper',
        phone: null,
      });
    });
  });

  const client = () => service().as('customer');

  it('accepts a missing X-Session-Id, and one in any letter case', async () => {
    const device = await client().createDevice();
    for (const sessionId of [undefined, device.sessionId, device.sessionId.toUpperCase()]) {
      const { status, body } = await client().me({ ...device, sessionId });
      expect(status).to.equal(200);
      expect(body.session.id).to.equal(device.sessionId);
    }
  });

  it('returns SESSION_NOT_FOUND for another fingerprint, as refresh and sign-out do', async () => {
    const account = await client().createAccount();
    const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
    for (const call of [client().me, client().refreshToken, client().signOut])
      for (const fingerprint of ['unknown', other.fingerprint, device.fingerprint.toUpperCase()]) {
        const response = await call({ ...device, fingerprint });
        expectError(response, 401, 'SESSION_NOT_FOUND');
        expect(response.headers['www-authenticate']).to.equal('Bearer');
      }
    await client().expectSignedIn(device);
  });

  it('returns SESSION_NOT_FOUND for another session id, existing or not', async () => {
    const account = await client().createAccount();
    const [device, other] = [await client().openDevice(account), await client().openDevice(account)];
    for (const sessionId of [other.sessionId, '11111111-1111-4111-8111-111111111111'])
      expectError(await client().me({ ...device, sessionId }), 401, 'SESSION_NOT_FOUND');
    const asOther = { 'X-Fingerprint': other.fingerprint, 'X-Session-Id': other.sessionId };
    expectError(await client().me({ ...device, headers: asOther }), 401, 'SESSION_NOT_FOUND');
  });

  it('reads the token only from the bearer scheme, in any letter case', async () => {
    const device = await client().createDevice();
    const { accessToken } = device;
    for (const header of [`bearer ${accessToken}`, `BEARER ${accessToken}`])
      expect((await client().me({ ...device, headers: { Authorization: header } })).status).to.equal(200);
    for (const header of [
      accessToken,
      `Basic ${accessToken}`,
      'Bearer',
      'Bearer ',
      `Bearer ${accessToken} x`,
    ])
      expectError(await client().me({ ...device, headers: { Authorization: header } }), 401, 'TOKEN_INVALID');
    const cookie = {
      Authorization: undefined,
      Cookie: `token=${accessToken}; access_token=${accessToken}`,
    };
    expectError(await client().me({ ...device, headers: cookie }), 401, 'TOKEN_INVALID');
  });
});

describe('universal me', () => {
  const service = useAuthService();

  describeEachKind(ACCOUNT_KINDS, service, (client, kind) => {
    it('detects the kind from the token', async () => {
      const account = await client().createAccount({ phone: '112' });
      const device = await client().openDevice(account);
      const { status, body, headers } = await client().universalMe(device);

      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('no-store');
      expect(body).to.have.all.keys('kind', 'user', 'profile', 'roles', 'session');
      expect(body).to.deep.include({ kind: kind.kind, roles: [kind.role] });
      const { fingerprint: _, ...session } = (await client().me(device)).body.session;
      const { user, profile } = (await client().me(device)).body;
      expect(body).to.deep.include({ user, profile, session });
    });
  });

  const client = () => service().as('customer');

  it('rejects a refresh token, in the header and in the cookie', async () => {
    const device = await client().createDevice();
    expectError(await client().universalMe({ accessToken: device.refreshToken }), 401, 'TOKEN_INVALID');
    const headers = { Cookie: `${CUSTOMER.refreshCookie}=${device.refreshToken}` };
    expectError(await client().universalMe({ headers }), 401, 'TOKEN_INVALID');
  });
});

describe('user of two kinds', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`who was first one of the ${kind.plural}`, () => {
      const [own, other] = [() => service().as(kind), () => service().as(otherKind(kind))];
      const createUser = async () => {
        const account = await own().createAccount();
        await addKind(service().records, account.userId, otherKind(kind).kind);
        return account;
      };

      it('keeps one session per device: a sign-in as the second kind revokes the tokens of the first', async () => {
        const account = await createUser();
        const first = await own().openDevice(account);
        const second = await other().openDevice(account, first.fingerprint);

        expect(second.sessionId).to.equal(first.sessionId);
        expectError(await own().me(first), 401, 'TOKEN_INVALID');
        expectError(await own().refreshToken(first), 401, 'TOKEN_INVALID');
        expect((await other().me(second)).status).to.equal(200);
      });

      it('returns the kind of the token, with the profile and the profile id of that kind only', async () => {
        const account = await createUser();
        const { body } = await other().universalMe(await other().openDevice(account));
        expect(body.kind).to.equal(otherKind(kind).kind);
        expect([...body.roles].sort()).to.deep.equal(['CUSTOMER', 'EMPLOYEE']);
        expect(body.user[otherKind(kind).profileLink]).to.equal(body.profile.id);
        expect(body.user).not.to.have.property(kind.profileLink);
        expect(body.profile.id).not.to.equal(account.profileId);
      });
    });
});
