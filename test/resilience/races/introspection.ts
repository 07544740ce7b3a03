import { setTimeout as delay } from 'node:timers/promises';
import { ADMINISTRATOR, bearer, CUSTOMER } from '@platform/shared/testing/auth-client';
import type { Device } from '@platform/shared/testing/device';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { deleteAccount } from './deletions.ts';
import { createRace, type Member, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;
const NEW_PASSWORD = 'A better horse 2';

type Subject = { member: Member; device: Device; end: () => Promise<HttpResponse> };
type Prepare = (fixture: RaceFixture) => Promise<Subject>;

const openCustomer = async (fixture: RaceFixture) => {
  const member = await fixture.signUp(CUSTOMER);
  return { member, device: await fixture.signIn(member) };
};

const openAdministrator = async (fixture: RaceFixture, role: 'ADMIN' | 'OPERATOR') => {
  const { id: userId, email, password } = await fixture.records.user([role]);
  const member = { kind: ADMINISTRATOR, email, password, userId };
  return { member, device: await fixture.signIn(member) };
};

const byAdministrator = async (fixture: RaceFixture, method: string, path: string) => {
  const { device } = await openAdministrator(fixture, 'ADMIN');
  return () => fixture.send({ method, path: `/api/v1/users/${path}`, headers: bearer(device) });
};

/** Operations that end a session or make the platform reject it. */
export const SESSION_ENDINGS: Record<string, Prepare> = {
  'a block': async (fixture) => {
    const subject = await openCustomer(fixture);
    return { ...subject, end: await byAdministrator(fixture, 'PATCH', `${subject.member.userId}/block`) };
  },
  'a deletion': async (fixture) => {
    const subject = await openCustomer(fixture);
    return { ...subject, end: () => deleteAccount(fixture, subject) };
  },
  'a sign-out': async (fixture) => {
    const subject = await openCustomer(fixture);
    return { ...subject, end: () => fixture.client(CUSTOMER).signOut(subject.device) };
  },
  'the removal of a role': async (fixture) => {
    const subject = await openAdministrator(fixture, 'OPERATOR');
    const path = `${subject.member.userId}/platform-role`;
    return { ...subject, end: await byAdministrator(fixture, 'DELETE', path) };
  },
  'a reset by code': async (fixture) => {
    const subject = await openCustomer(fixture);
    const { email } = subject.member;
    await fixture.client(CUSTOMER).resetPasswordEmailCodeSend({ body: { email } });
    const code = codeIn(await fixture.inbox.untilMail(email, ''));
    const body = { email, code, newPassword: NEW_PASSWORD };
    return { ...subject, end: () => fixture.client(CUSTOMER).resetPasswordEmailCode({ body }) };
  },
};

/**
 * Introspects a token continuously while its session ends. A request that begins after the response must find
 * it inactive.
 */
export const createIntrospectionRace =
  (prepare: Prepare) =>
  (fixture: RaceFixture): Race => {
    const client = createServiceClient(fixture.stack.authUrl);
    const isActive = async ({ accessToken: token }: Device): Promise<boolean> => {
      const { status, body, text } = await client.introspectToken({ form: { token } });
      if (status !== 200) throw new Error(`200 was expected, not ${status}: ${text}`);
      return body.active;
    };
    return createRace(
      () => prepare(fixture),
      async ({ device, end }, check, round) => {
        check(await isActive(device), 'the token is active before');
        const during = [0, 1, 2].map(async (count) => {
          await delay((round + count * 3) % MAX_DELAY_MILLISECONDS);
          return isActive(device);
        });
        const ended = await end();
        const after = await Promise.all([isActive(device), isActive(device)]);
        check(ended.status < 300, 'the session is ended', formatStatus(ended));
        check(!after.includes(true), 'no request that begins afterwards finds it active', after);
        const found = (await Promise.all(during)).filter(Boolean).length;
        return [`ended ${formatStatus(ended)}`, `active ${found} of 3 times meanwhile`];
      },
    );
  };
