import { expect } from 'chai';
import { createMemoryStorage } from '../src/device.ts';
import type { PlatformClient } from '../src/platform-client.ts';
import {
  AUTH,
  CREDENTIALS,
  failed,
  failure,
  json,
  noContent,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

describe('client session store', () => {
  const { responders, requests, createClient, signIn, listRequests } = useFakeGateway();
  const recordStatus = (client: PlatformClient<'customer'>) => {
    const seen: (string | undefined)[][] = [];
    client.subscribe(() => {
      const { status, reason } = client.getSnapshot();
      seen.push([status, reason]);
    });
    return seen;
  };

  it('notifies of sign-in, new data, verification and sign-out, and otherwise keeps the snapshot', async () => {
    const user = { email: CREDENTIALS.email, isEmailVerified: false };
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'first', user, session }));
    responders.set(`${AUTH}/me`, json(200, { user, session, profile: null }));
    const client = createClient();
    const seen = recordStatus(client);
    const events: [string, object][] = [];
    for (const name of ['signed-in', 'user-changed', 'signed-out'] as const)
      client.on(name, (event) => events.push([name, event]));
    const initial = client.getSnapshot();
    expect(initial).to.deep.equal({ status: 'signed-out', user: undefined, session: undefined });
    await client.signIn(CREDENTIALS);
    const signedIn = client.getSnapshot();
    expect(signedIn).to.deep.equal({ status: 'signed-in', user, session });
    await client.me();
    expect(client.getSnapshot()).to.equal(signedIn);
    responders.set(`${AUTH}/verification/email/code/check`, json(200, { verified: true }));
    await client.verifyEmail('123456');
    expect(client.getSnapshot()).to.deep.include({ user: { ...user, isEmailVerified: true } });
    await client.me();
    expect(client.getSnapshot().user, 'the response of the platform').to.deep.equal(user);
    responders.set(`${AUTH}/me`, json(200, { user, session: { ...session, ip: '::1' }, profile: null }));
    await client.me();
    await client.signOut();
    expect(client.getSnapshot()).to.include({ status: 'signed-out', reason: 'SIGNED_OUT', user: undefined });
    expect(seen.map(([status]) => status)).to.deep.equal([...Array(4).fill('signed-in'), 'signed-out']);
    expect(events).to.deep.equal([
      ['signed-in', { user, session }],
      ['user-changed', { user: { ...user, isEmailVerified: true } }],
      ['user-changed', { user }],
      ['signed-out', { reason: 'SIGNED_OUT' }],
    ]);
  });

  it('notifies the tabs that share the storage, and stores no personal data after the sign-out', async () => {
    const storage = createMemoryStorage();
    const first = await signIn({ storage });
    const second = createClient({ storage });
    expect(second.getSnapshot(), 'after a reload').to.deep.equal({ status: 'signed-in', user, session });
    const seen = recordStatus(second);
    expect(storage.getItem('platform.customer')).to.include(user.email);
    await first.signOut();
    expect(second.getSnapshot().status).to.equal('signed-out');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(seen).to.deep.equal([['signed-out', 'SIGNED_OUT']]);
    expect(storage.getItem('platform.customer')).not.to.include(user.email);
    first.close();
    second.close();
  });

  it('notifies of a block', async () => {
    const client = await signIn();
    const seen = recordStatus(client);
    responders.set(`${AUTH}/me`, failure(401, 'USER_BLOCKED'));
    expect(await failed(client.me())).to.equal('USER_BLOCKED');
    expect(seen).to.deep.equal([['signed-out', 'USER_BLOCKED']]);
  });

  it('removes a listener only once for each subscription', async () => {
    const client = createClient();
    let calls = 0;
    const listener = () => {
      calls += 1;
    };
    const [stopFirst] = [client.subscribe(listener), client.subscribe(listener)];
    stopFirst();
    await client.signIn(CREDENTIALS);
    expect(calls).to.equal(1);
  });

  it('ends a session locally without a request, and sends no cookie afterwards', async () => {
    const storage = createMemoryStorage();
    const cookies = { header: () => 'CustomerRefreshToken=still-valid', store: () => undefined };
    const sent: (string | null)[] = [];
    const record = (request: Request) => {
      sent.push(request.headers.get('Cookie'));
      return fetch(request);
    };
    const client = await signIn({ storage, cookies, fetch: record });
    await client.signOut({ localOnly: true });
    expect(requests).to.deep.equal([]);
    const restarted = createClient({ storage, cookies, fetch: record });
    expect(restarted.getSnapshot()).to.include({ status: 'signed-out' });
    sent.length = 0;
    responders.set(`${AUTH}/reset-password/me`, failure(401, 'TOKEN_INVALID'));
    expect(await failed(restarted.changePassword({ currentPassword: 'a', newPassword: 'b' }))).to.equal(
      'TOKEN_INVALID',
    );
    expect(sent).to.deep.equal([null]);
    client.close();
    restarted.close();
  });

  it('calls each account operation by its name', async () => {
    const client = await signIn();
    const sent = { expiresIn: 900, resendIn: 120 };
    for (const path of ['verification/email/code', 'reset-password/email/code/send'])
      responders.set(`${AUTH}/${path}`, json(200, sent));
    responders.set(`${AUTH}/verification/email/check`, json(200, { verified: true }));
    for (const path of ['reset-password/email/code', 'reset-password/me'])
      responders.set(`${AUTH}/${path}`, noContent);
    responders.set(`${AUTH}/sessions`, (response, request) =>
      (request.method === 'GET' ? json(200, { data: [session] }) : noContent)(response, request),
    );
    responders.set(`${AUTH}/sessions/${session.id}`, noContent);
    expect(await client.sendVerificationCode()).to.deep.equal(sent);
    expect(await client.isEmailVerified({ signal: undefined })).to.equal(true);
    expect(await client.requestPasswordReset(user.email)).to.deep.equal(sent);
    await client.resetPassword({ email: user.email, code: '123456', newPassword: 'Battery staple 2' });
    await client.changePassword({ currentPassword: 'Correct horse 1', newPassword: 'Battery staple 2' });
    expect(await client.listSessions()).to.deep.equal([session]);
    await client.endOtherSessions();
    expect(client.isSignedIn()).to.equal(true);
    await client.endSession(session.id);
    expect(client.isSignedIn(), 'this session').to.equal(false);
    expect(listRequests()).to.deep.equal([
      `GET ${AUTH}/verification/email/code`,
      `GET ${AUTH}/verification/email/check`,
      `POST ${AUTH}/reset-password/email/code/send`,
      `POST ${AUTH}/reset-password/email/code`,
      `POST ${AUTH}/reset-password/me`,
      `GET ${AUTH}/sessions`,
      `DELETE ${AUTH}/sessions`,
      `DELETE ${AUTH}/sessions/${session.id}`,
    ]);
  });

  describe('with retries', () => {
    const busy = (status: number, seconds?: string) =>
      failure(status, 'SERVICE_UNAVAILABLE', seconds ? { 'Retry-After': seconds } : {});
    const respondOnce = (path: string, status: number) =>
      responders.set(path, (response, request) => {
        responders.set(path, json(200, { user, session, profile: null }));
        busy(status, '0')(response, request);
      });

    for (const status of [429, 503])
      it(`repeats a GET after ${status} with Retry-After`, async () => {
        const client = await signIn({ retry: true });
        respondOnce(`${AUTH}/me`, status);
        expect((await client.me()).user).to.deep.equal(user);
        expect(requests).to.have.length(2);
      });

    it('does not repeat without the option or Retry-After, after too long a wait, or too often', async () => {
      const cases = [
        [{}, '0', 1],
        [{ retry: true }, undefined, 1],
        [{ retry: { maxWaitSeconds: 5 } }, '6', 1],
        [{ retry: { maxAttempts: 2 } }, '0', 2],
      ] as const;
      for (const [options, seconds, expected] of cases) {
        const client = await signIn(options);
        responders.set(`${AUTH}/me`, busy(503, seconds));
        expect(await failed(client.me())).to.equal('SERVICE_UNAVAILABLE');
        expect(requests).to.have.length(expected);
      }
    });

    it('never repeats a request that changes something', async () => {
      const client = await signIn({ retry: true });
      const paths = ['verification/email/code', 'sign-out', 'sessions', 'verification/email/code/check'];
      for (const path of paths) responders.set(`${AUTH}/${path}`, busy(503, '0'));
      const calls = [
        client.sendVerificationCode,
        client.signOut,
        client.endOtherSessions,
        () => client.verifyEmail('123456'),
        () => client.GET('/customers/auth/verification/email/code'),
      ];
      for (const call of calls) {
        requests.length = 0;
        expect(await failed(call())).to.equal('SERVICE_UNAVAILABLE');
        expect(requests).to.have.length(1);
      }
    });

    it('stops waiting when the call is aborted', async () => {
      const client = await signIn({ retry: true });
      responders.set(`${AUTH}/me`, busy(503, '20'));
      const [controller, reason] = [new AbortController(), new Error('Left the page')];
      const call = failed(client.me({ signal: controller.signal }));
      setTimeout(() => controller.abort(reason), 50);
      expect(await call).to.equal(reason);
      expect(requests).to.have.length(1);
    });
  });
});
