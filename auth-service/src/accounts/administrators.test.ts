import { PLATFORM_ROLES } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';
import { decodeToken } from '../../testing/tokens.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

describe('administrator sign-in', () => {
  const service = useAuthService({ ADMIN_ALLOWED_DOMAINS: 'Example.com, staff.example.org' });
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('administrator');
  const signIn = (email: string, password = PASSWORD, fingerprint = uniqueFingerprint()) =>
    client().signIn({ fingerprint, body: { email, password } });

  for (const role of PLATFORM_ROLES) {
    it(`returns token, session and user with the role ${role}, and sets the administrators' cookie`, async () => {
      const { id, email } = await records.user([role]);
      const response = await signIn(email);
      expect(response.status, response.text).to.equal(200);
      expect(Object.keys(response.body)).to.have.members(['token', 'session', 'user']);
      const { createdAt, ...user } = response.body.user;
      expect(createdAt).to.equal(new Date(createdAt).toISOString());
      expect(user).to.deep.equal({ id, email, isEmailVerified: false, roles: [role], platformRole: role });
      expectCookieSet(response, 'AdminRefreshToken', 7_200);
      expect(response.headers['cache-control']).to.equal('no-store');
    });

    it(`claims the role ${role} in both tokens, with different ids and no profile`, async () => {
      const { id, email } = await records.user([role]);
      const { accessToken, refreshToken } = await client().openDevice({ email, password: PASSWORD });
      const [access, refresh] = [decodeToken(accessToken), decodeToken(refreshToken)];
      for (const claims of [access, refresh]) {
        expect(claims).to.deep.include({ userId: id, roles: [role], platformRole: role });
        expect(Object.keys(claims)).to.have.members(['userId', 'roles', 'platformRole', 'iat', 'exp', 'jti']);
        expect(claims.jti).to.match(UUID);
      }
      expect(access.jti).not.to.equal(refresh.jti);
      expect(Number(access.exp) - Number(access.iat)).to.equal(3_600);
      expect(Number(refresh.exp) - Number(refresh.iat)).to.equal(7_200);
    });

    it(`returns no profile from me, and the kind administrator from the universal me, for ${role}`, async () => {
      const { email } = await records.user([role]);
      const device = await client().openDevice({ email, password: PASSWORD });
      const me = await client().me(device);
      expect(me.status).to.equal(200);
      expect(me.body.profile).to.equal(null);
      expect(me.body.user).to.include({ email, platformRole: role });
      expect(me.body.session).to.include({ id: device.sessionId, fingerprint: device.fingerprint });
      const { body } = await client().universalMe(device);
      const { user } = me.body;
      const { fingerprint: _, ...session } = me.body.session;
      expect(body).to.deep.equal({ kind: 'administrator', user, profile: null, roles: [role], session });
    });
  }

  describe('platform role claim', () => {
    const open = async (role: 'ADMIN' | 'OPERATOR' = 'ADMIN') => {
      const { id, email } = await records.user([role]);
      return { id, email, device: await client().openDevice({ email, password: PASSWORD }) };
    };
    const roleIn = ({ accessToken }: Device) => decodeToken(accessToken)['platformRole'];

    it('claims a changed role from the next refresh on', async () => {
      const { id, device } = await open('OPERATOR');
      await records.removeRoles(id);
      await records.giveRole(id, 'ARBITER');
      const refreshed = await client().refreshed(device);
      expect(roleIn(refreshed)).to.equal('ARBITER');
      expect(decodeToken(refreshed.accessToken)['roles']).to.deep.equal(['ARBITER']);
      expect((await client().me(refreshed)).body.user.platformRole).to.equal('ARBITER');
    });

    it('claims no role after the role was removed, from the next refresh on', async () => {
      const { id, device } = await open();
      await records.removeRoles(id);
      const refreshed = await client().refreshed(device);
      for (const token of [refreshed.accessToken, refreshed.refreshToken]) {
        expect(decodeToken(token)).not.to.have.property('platformRole');
        expect(decodeToken(token)['roles']).to.deep.equal([]);
      }
      expect((await client().me(refreshed)).body.user).not.to.have.property('platformRole');
    });
  });

  describe('rejected sign-in', () => {
    for (const roles of [[], ['CUSTOMER'], ['CUSTOMER', 'EMPLOYEE']] as const)
      it(`returns 403 for the roles [${roles}], only after the correct password`, async () => {
        const { email } = await records.user(roles);
        const response = await signIn(email);
        expectError(response, 403, 'PLATFORM_ROLE_INVALID');
        expect(response.headers).not.to.have.property('set-cookie');
        expectError(await signIn(email, WRONG_PASSWORD), 401, 'INVALID_CREDENTIALS');
      });

    it('leaves no session and no token when it rejects the role', async () => {
      const { id, email } = await records.user([]);
      await signIn(email);
      for (const table of ['sessions', 'token_records'])
        expect(await records.query(`select 1 from ${table} where user_id = $1`, [id])).to.deep.equal([]);
    });

    it('signs in a user who is also a customer as both kinds, with separate tokens', async () => {
      const { email } = await records.user(['ADMIN', 'CUSTOMER']);
      const administrator = await client().openDevice({ email, password: PASSWORD });
      const customer = await service().as('customer').openDevice({ email, password: PASSWORD });
      expect((await client().me(administrator)).body.user).to.deep.include({ platformRole: 'ADMIN' });
      const { user } = (await service().as('customer').me(customer)).body;
      expect(user).not.to.have.property('platformRole');
      expect(user.roles).to.have.members(['ADMIN', 'CUSTOMER']);
      expect(decodeToken(customer.accessToken)).not.to.have.property('platformRole');
    });
  });

  describe('allowed domains', () => {
    const atDomain = (domain: string) => uniqueEmail().replace('example.com', domain);

    it('accepts a listed domain in any letter case', async () => {
      for (const domain of ['example.com', 'staff.example.org']) {
        const email = atDomain(domain);
        await records.user(['ADMIN'], { email });
        for (const given of [email, email.toUpperCase(), email.replace(domain, domain.toUpperCase())])
          expect((await signIn(given)).status, given).to.equal(200);
      }
    });

    const others = [
      'sub.example.com',
      'example.com.evil',
      'evil-example.com',
      'example.org',
      'staff.example.com',
    ];
    for (const domain of others)
      it(`returns 403 for ${domain}, whether user and password are correct or not`, async () => {
        const email = atDomain(domain);
        expectError(await signIn(email), 403, 'DOMAIN_NOT_ALLOWED');
        await records.user(['ADMIN'], { email });
        expectError(await signIn(email), 403, 'DOMAIN_NOT_ALLOWED');
        expectError(await signIn(email, WRONG_PASSWORD), 403, 'DOMAIN_NOT_ALLOWED');
      });
  });

  it('reports the block before a missing platform role', async () => {
    const { email } = await records.user([], { isBlocked: true });
    expectError(await signIn(email), 401, 'USER_BLOCKED');
  });

  describe('e-mail codes', () => {
    it('returns the same response without a mail for an e-mail without a platform role', async () => {
      for (const email of [uniqueEmail(), (await records.user(['CUSTOMER'])).email]) {
        const response = await client().resetPasswordEmailCodeSend({ body: { email } });
        expect({ status: response.status, body: response.body }).to.deep.equal({
          status: 200,
          body: { expiresIn: 900, resendIn: 120 },
        });
        const mails = await service().mails.queuedFor(email);
        expect(mails).to.deep.equal([]);
      }
    });
  });
});

describe('two platform roles of one user', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);
  before('drop the unique index in a separate database', () =>
    records.query('drop index user_roles_one_platform_role'),
  );
  const client = () => service().as('administrator');

  it('returns 403 at sign-in, only after the correct password', async () => {
    for (const roles of [
      ['ADMIN', 'OPERATOR'],
      ['OPERATOR', 'ARBITER'],
      ['ADMIN', 'OPERATOR', 'ARBITER'],
    ] as const) {
      const { email } = await records.user(roles);
      expectError(
        await client().signIn({ fingerprint: 'device', body: { email, password: PASSWORD } }),
        403,
        'PLATFORM_ROLE_INVALID',
      );
      await client().expectNoSignIn({ email, password: WRONG_PASSWORD });
    }
  });

  it('claims no role in the tokens of the next refresh', async () => {
    const { id, email } = await records.user(['ADMIN']);
    const device = await client().openDevice({ email, password: PASSWORD });
    await records.giveRole(id, 'OPERATOR');
    const { accessToken } = await client().refreshed(device);
    expect(decodeToken(accessToken)).not.to.have.property('platformRole');
  });
});
