import { ACCOUNT_KINDS, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import {
  someAddress,
  uniqueEmail,
  uniqueFingerprint,
  WRONG_PASSWORD,
} from '@platform/shared/testing/builders';
import { type HttpResponse, parseSetCookies } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';
import { decodeToken, SHORT_LIFETIMES } from '../../testing/tokens.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

describe('sign-in', () => {
  const service = useAuthService(SHORT_LIFETIMES);

  describeEachKind(ACCOUNT_KINDS, service, (client, kind) => {
    it('returns the access token, the session and the user', async () => {
      const { email, password, userId, profileId } = await client().createAccount();
      const fingerprint = uniqueFingerprint();
      const { status, body, headers } = await client().signIn({ fingerprint, body: { email, password } });

      expect(status).to.equal(200);
      expect(headers['cache-control']).to.equal('no-store');
      expect(body).to.have.all.keys('token', 'session', 'user');
      expect(body.session).to.have.all.keys(
        ...['id', 'userId', 'fingerprint', 'ip', 'createdAt', 'updatedAt'],
      );
      expect(body.session).to.include({ userId, fingerprint, ip: '127.0.0.1' });
      const { createdAt: _createdAt, ...user } = body.user;
      expect(user).to.deep.equal({
        id: userId,
        email,
        isEmailVerified: false,
        roles: [kind.role],
        [kind.profileLink]: profileId,
      });
    });

    it('sets the refresh cookie with the lifetime of the token', async () => {
      const { email, password } = await client().createAccount();
      const response = await client().signIn({ fingerprint: 'device', body: { email, password } });
      expectCookieSet(response, kind.refreshCookie, 1_200);
    });

    it('issues both tokens with exactly the specified claims', async () => {
      const account = await client().createAccount();
      const { accessToken, refreshToken } = await client().openDevice(account);
      const [access, refresh] = [decodeToken(accessToken), decodeToken(refreshToken)];
      for (const [claims, lifetimeSeconds] of [[access, 600] as const, [refresh, 1_200] as const]) {
        const { iat = 0, exp = 0, jti, ...payload } = claims;
        expect(payload).to.deep.equal({
          userId: account.userId,
          roles: [kind.role],
          [kind.profileLink]: account.profileId,
        });
        expect(jti).to.match(UUID);
        expect(exp - iat).to.equal(lifetimeSeconds);
      }
      expect(access.jti).not.to.equal(refresh.jti);
    });
  });

  const client = () => service().as('customer');

  it('returns the same 401 for an unknown e-mail, a wrong password and an account of another kind', async () => {
    const { email, password } = await client().createAccount();
    const otherAccount = await service().as('employee').createAccount();
    const responses = [
      await client().signIn({ fingerprint: 'device', body: { email: uniqueEmail(), password } }),
      // No account can have this address.
      await client().signIn({
        fingerprint: 'device',
        body: { email: `${'a'.repeat(65)}@example.com`, password },
      }),
      await client().signIn({ fingerprint: 'device', body: { email, password: WRONG_PASSWORD } }),
      await client().signIn({
        fingerprint: 'device',
        body: { email: otherAccount.email, password: otherAccount.password },
      }),
    ];
    const getComparable = ({ status, headers, body }: HttpResponse) => {
      const { date: _date, 'x-request-id': _id, ...others } = headers;
      return { status, headers: others, body: { ...body, requestId: '' } };
    };
    for (const response of responses) {
      expectError(response, 401, 'INVALID_CREDENTIALS');
      expect(response.headers['www-authenticate']).to.equal('Bearer');
      expect(parseSetCookies(response)).to.deep.equal([]);
      expect(getComparable(response)).to.deep.equal(getComparable(responses[0] as HttpResponse));
    }
  });

  it('keeps the session of the device after a failure', async () => {
    const { account, device } = await client().createAccountAndDevice();
    await client().signIn({
      fingerprint: device.fingerprint,
      body: { email: account.email, password: WRONG_PASSWORD },
    });
    expect((await client().me(device)).status).to.equal(200);
  });

  it('requires a fingerprint of 1 to 256 characters', async () => {
    const { email, password } = await client().createAccount();
    for (const fingerprint of [undefined, '', '   ', 'x'.repeat(257)]) {
      const response = await client().signIn({ fingerprint, body: { email, password } });
      expectError(response, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
    }
    for (const fingerprint of ['x', 'x'.repeat(256), "'; drop table users; --", '{"a":[1]}, "b"']) {
      const { status, body } = await client().signIn({ fingerprint, body: { email, password } });
      expect(status).to.equal(200);
      expect(body.session.fingerprint).to.equal(fingerprint);
    }
  });

  it('accepts passwords of 1 to 256 characters', async () => {
    const { email } = await client().createAccount();
    for (const password of ['x', 'x'.repeat(256)]) await client().expectNoSignIn({ email, password });
    for (const password of ['', 'x'.repeat(257), null, undefined, ['x'], { $ne: 'x' }, 'x\0']) {
      const response = await client().signIn({ fingerprint: 'device', body: { email, password } });
      expectError(response, 400, 'VALIDATION_FAILED', '/body/password');
    }
  });

  it('is counted by kind and outcome, with a comparison of passwords unless it is throttled', async () => {
    const { metric, records } = service();
    const customer = service().as('customer');
    const count = () =>
      Promise.all([
        ...['success', 'failure', 'throttled', 'blocked'].map((outcome) =>
          metric('sign_ins_total', { kind: 'customer', outcome, method: 'password' }),
        ),
        metric('password_hash_duration_seconds_count'),
      ]);
    const { email, password } = await customer.createAccount();
    const blocked = await records.user(['CUSTOMER'], { isBlocked: true });
    const before = await count();
    const signIn = (body: { email: string; password: string }) =>
      customer.signIn({ fingerprint: uniqueFingerprint(), body });
    await signIn({ email, password });
    for (let attempt = 0; attempt < 6; attempt += 1) await signIn({ email, password: WRONG_PASSWORD });
    await signIn({ email: blocked.email, password: blocked.password });
    const after = await count();
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([1, 5, 1, 1, 7]);
  });
});

describe('sign-in with an unknown e-mail', () => {
  const service = useAuthService({ BCRYPT_COST: '10', PASSWORD_QUEUE_LIMIT: '1' });

  it('uses the password queue like any other, so that the response time is the same', async () => {
    const { email } = await service().as('customer').createAccount();
    for (const [kind, address] of [
      [CUSTOMER, email],
      [CUSTOMER, uniqueEmail()],
      [EMPLOYEE, email],
    ] as const) {
      const attempt = () =>
        service()
          .as(kind)
          .signIn({
            fingerprint: 'device',
            body: { email: address, password: WRONG_PASSWORD },
            headers: {
              'X-Forwarded-For': someAddress(),
            },
          });
      const responses = await Promise.all(Array.from({ length: 12 }, attempt));
      // A request that skipped the hash would never return 503.
      expect(responses.map(({ status }) => status))
        .to.include(401)
        .and.to.include(503);
    }
  });
});
