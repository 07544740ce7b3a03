import { ACCOUNT_KINDS, ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { useRecords } from '@platform/shared/testing/records';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import jsonwebtoken, { type JwtPayload } from 'jsonwebtoken';
import { describeEachKind, useAuthService } from '../../testing/auth-service.ts';
import { newPerson, redirectTo, useProvider, visit } from '../../testing/provider.ts';
import { expectCookieSet } from '../../testing/refresh-cookie.ts';
import { forgetUsedStep } from '../../testing/second-factor.ts';

const DAY_SECONDS = 86_400;
const STAY = 30 * DAY_SECONDS;

const LIFETIMES = {
  JWT_CUSTOMER_REFRESH_EXPIRES_IN: '1200',
  JWT_EMPLOYEE_REFRESH_EXPIRES_IN: '1200',
  JWT_ADMIN_REFRESH_EXPIRES_IN: '1200',
};

const lifetimeOf = (token: string): number => {
  const { iat = 0, exp = 0 } = jsonwebtoken.decode(token) as JwtPayload;
  return exp - iat;
};

describe('staying signed in', () => {
  const service = useAuthService(LIFETIMES);
  const records = useRecords(() => service().databaseUrl);

  describeEachKind(ACCOUNT_KINDS, service, (client, { refreshCookie }) => {
    const signIn = async (body: { staySignedIn?: boolean }): Promise<HttpResponse> => {
      const { email, password } = await client().createAccount();
      const fingerprint = uniqueFingerprint();
      return await client().signIn({ fingerprint, body: { email, password, ...body } });
    };

    it('gives the refresh token and its cookie thirty days, at each refresh anew', async () => {
      const signedIn = await signIn({ staySignedIn: true });
      expectCookieSet(signedIn, refreshCookie, STAY);
      let device = client().toDevice(signedIn);
      for (const _ of [1, 2]) {
        const refreshed = await client().refreshToken(device);
        expectCookieSet(refreshed, refreshCookie, STAY);
        device = client().afterRefresh(device, refreshed);
        expect(lifetimeOf(device.refreshToken)).to.equal(STAY);
        expect(lifetimeOf(device.accessToken)).to.equal(3_600);
      }
    });

    it('is off by default', async () => {
      for (const body of [{}, { staySignedIn: false }]) {
        const signedIn = await signIn(body);
        expectCookieSet(signedIn, refreshCookie, 1_200);
        expectCookieSet(await client().refreshToken(client().toDevice(signedIn)), refreshCookie, 1_200);
      }
    });
  });

  const client = () => service().as('customer');

  it('is the latest choice of a device, and stands in the list of sessions', async () => {
    const account = await client().createAccount();
    const fingerprint = uniqueFingerprint();
    for (const staySignedIn of [true, false]) {
      const body = { email: account.email, password: account.password, staySignedIn };
      const device = client().toDevice(await client().signIn({ fingerprint, body }));
      const { data } = (await client().listSessions(device)).body;
      expect(data.map((session: { staysSignedIn: boolean }) => session.staysSignedIn)).to.deep.equal([
        staySignedIn,
      ]);
    }
  });

  it('is the choice of the first step, which the second one cannot change', async () => {
    const { account, secret } = await client().openAccountWithTotp();
    for (const [first, second] of [
      [true, false],
      [false, true],
    ]) {
      const fingerprint = uniqueFingerprint();
      const body = { email: account.email, password: account.password, staySignedIn: first };
      const { challenge } = (await client().signIn({ fingerprint, body })).body;
      await forgetUsedStep(service().databaseUrl, account.userId);
      const finished = await client().signInSecondFactor({
        fingerprint,
        body: { challenge, totpCode: totpCode(secret, 1), staySignedIn: second },
      });
      expectCookieSet(finished, CUSTOMER.refreshCookie, first ? STAY : 1_200);
    }
  });

  it('is never possible for administrators, nor for who holds a platform role', async () => {
    const { email, password } = await records.user(['ADMIN', 'CUSTOMER']);
    for (const kind of [ADMINISTRATOR, CUSTOMER]) {
      const body = { email, password, staySignedIn: true };
      const signedIn = await service().as(kind).signIn({ fingerprint: uniqueFingerprint(), body });
      expectCookieSet(signedIn, kind.refreshCookie, 1_200);
    }
  });
});

describe('staying signed in with a provider', () => {
  const provider = useProvider();
  const service = useAuthService(() => ({ ...LIFETIMES, ...provider().settings }));
  const client = () => service().as('customer');

  it('is the choice of authorize, which the callback cannot change', async () => {
    for (const [chosen, sent] of [
      [true, false],
      [false, true],
    ]) {
      provider().misbehave({ claims: newPerson() });
      const request = { provider: 'company', fingerprint: uniqueFingerprint() };
      const begun = await client().oidcAuthorize({
        ...request,
        body: { ...redirectTo('company'), staySignedIn: chosen },
      });
      const body = { callbackUrl: await visit(begun), staySignedIn: sent };
      expectCookieSet(
        await client().oidcSignIn({ ...request, body }),
        CUSTOMER.refreshCookie,
        chosen ? STAY : 1_200,
      );
    }
  });
});

describe('staying signed in with SESSION_MAX_AGE', () => {
  const service = useAuthService({ ...LIFETIMES, SESSION_MAX_AGE: '3000' });
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  it('ends with the session', async () => {
    const { email, password } = await client().createAccount();
    const body = { email, password, staySignedIn: true };
    const device = client().toDevice(await client().signIn({ fingerprint: uniqueFingerprint(), body }));
    expect(lifetimeOf(device.refreshToken)).to.equal(3_000);
    await records.query(
      `update token_records set created_at = created_at - interval '2000 s'
       where id = (select token_id from sessions where id = $1)`,
      [device.sessionId],
    );
    expect(lifetimeOf((await client().refreshed(device)).refreshToken)).to.be.within(980, 1_000);
  });
});

describe('staying signed in where it is not offered', () => {
  const service = useAuthService({ ...LIFETIMES, JWT_CUSTOMER_STAY_EXPIRES_IN: '0' });
  const records = useRecords(() => service().databaseUrl);
  const client = () => service().as('customer');

  it('is ignored, also from the next refresh of a session that began before', async () => {
    const { email, password } = await client().createAccount();
    const body = { email, password, staySignedIn: true };
    const signedIn = await client().signIn({ fingerprint: uniqueFingerprint(), body });
    expectCookieSet(signedIn, CUSTOMER.refreshCookie, 1_200);
    const device = client().toDevice(signedIn);
    await records.query(
      `update token_records set stays_signed_in = true, refresh_token_expired_at = now() + interval '30 days'
       where id = (select token_id from sessions where id = $1)`,
      [device.sessionId],
    );
    expectCookieSet(await client().refreshToken(device), CUSTOMER.refreshCookie, 1_200);
  });

  it('is still offered to the other kind', async () => {
    for (const [kind, offered] of [
      ['customer', false],
      ['employee', true],
      ['administrator', false],
    ] as const)
      expect((await service().as(kind).signInMethods({})).body.staySignedIn, kind).to.equal(offered);
  });
});
