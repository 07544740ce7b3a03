import { randomUUID } from 'node:crypto';
import { type AccountKind, accessHeaders, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device, TestAccount } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase, setBlocked } from '@platform/shared/testing/query-database';
import { expectError, send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

type OwnSession = { id: string; isCurrent: boolean };

const sessionsOf = ({ status, body, text }: HttpResponse): OwnSession[] => {
  expect(status, text).to.equal(200);
  return body.data;
};

describe('sessions of the signed-in user', () => {
  const service = useAuthService();

  const call = (method: 'GET' | 'DELETE', kind: AccountKind, tail: string, token: string | undefined) => {
    const headers = { Authorization: token && `Bearer ${token}` };
    return send(service().url, method, `${kind.path}/sessions${tail}`, { headers });
  };

  const client = () => service().as('customer');
  const newAccount = () => client().createAccount();
  const list = ({ accessToken }: Device) => call('GET', CUSTOMER, '', accessToken);
  const end = ({ accessToken }: Device, sessionId: string) =>
    call('DELETE', CUSTOMER, `/${sessionId}`, accessToken);
  const endOthers = ({ accessToken }: Device) => call('DELETE', CUSTOMER, '', accessToken);
  const openThreeDevices = async (account: TestAccount): Promise<[Device, Device, Device]> => [
    await client().openDevice(account),
    await client().openDevice(account),
    await client().openDevice(account),
  ];
  const idsIn = async (device: Device) => sessionsOf(await list(device)).map(({ id }) => id);

  it('lists the session of the only device as returned by the sign-in', async () => {
    const account = await newAccount();
    const fingerprint = uniqueFingerprint();
    const userAgent = `Mozilla/5.0 (X11; Linux x86_64; rv:130.0) ${'x'.repeat(250)}`;
    const headers = { 'User-Agent': userAgent };
    const signInResponse = await client().signIn({ fingerprint, body: account, headers });
    const response = await list(client().toDevice(signInResponse));
    expect(response.headers['cache-control']).to.equal('no-store');
    const { fingerprint: _, ...session } = signInResponse.body.session;
    const [{ signedInAt, ...listed }, ...others] = response.body.data;
    expect(others).to.deep.equal([]);
    expect(listed).to.deep.equal({
      ...session,
      staysSignedIn: false,
      userAgent: userAgent.slice(0, 256),
      refreshedAt: null,
      isCurrent: true,
      methods: ['password'],
    });
    expect(signedInAt).to.equal(session.updatedAt);
  });

  it('lists the user agent and the time of the latest sign-in, and the time of the last refresh', async () => {
    const account = await newAccount();
    const signIn = (userAgent: string) =>
      client().signIn({ fingerprint: 'one', body: account, headers: { 'User-Agent': userAgent } });
    const first = await list(client().toDevice(await signIn('curl/8.1')));
    const again = client().toDevice(await signIn(' '));
    const refreshed = client().afterRefresh(again, await client().refreshToken(again));
    const [session] = (await list(refreshed)).body.data;
    expect(session.userAgent).to.equal(null);
    expect(session.createdAt).to.equal(first.body.data[0].createdAt);
    expect(Date.parse(session.signedInAt)).to.be.greaterThan(Date.parse(first.body.data[0].signedInAt));
    expect(Date.parse(session.refreshedAt)).to.be.greaterThan(Date.parse(session.signedInAt));
  });

  it('keeps no user agent after a sign-out', async () => {
    const account = await newAccount();
    const userAgent = `gone/${account.userId}`;
    const headers = { 'User-Agent': userAgent };
    const device = client().toDevice(await client().signIn({ fingerprint: 'one', body: account, headers }));
    expect((await client().signOut(device)).status).to.equal(204);
    const text = 'select 1 from token_records where user_agent = $1';
    expect(await queryDatabase(service().databaseUrl, text, [userAgent])).to.deep.equal([]);
  });

  it('lists three sessions by latest sign-in first, with the current one marked', async () => {
    const account = await newAccount();
    const [one, two, three] = await openThreeDevices(account);
    for (const device of [one, two, three]) {
      const sessions = sessionsOf(await list(device));
      expect(sessions.map(({ id }) => id)).to.deep.equal([three, two, one].map((each) => each.sessionId));
      expect(sessions.filter(({ isCurrent }) => isCurrent).map(({ id }) => id)).to.deep.equal([
        device.sessionId,
      ]);
    }
    await client().openDevice(account, one.fingerprint);
    expect((await idsIn(two))[0]).to.equal(one.sessionId);
  });

  it('does not list the sessions of other users', async () => {
    const mine = await client().openDevice(await newAccount(), 'a device that two share');
    const otherDevice = await client().openDevice(await newAccount(), 'a device that two share');
    expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
    expect(await idsIn(otherDevice)).to.deep.equal([otherDevice.sessionId]);
  });

  it('does not list signed-out and expired sessions', async () => {
    const account = await newAccount();
    const [mine, gone, expired] = await openThreeDevices(account);
    expect((await client().signOut(gone)).status).to.equal(204);
    await queryDatabase(
      service().databaseUrl,
      `update token_records set refresh_token_expired_at = now() - interval '1 second'
           where id = (select token_id from sessions where id = $1)`,
      [expired.sessionId],
    );
    expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
  });

  it('revokes the tokens of an ended session at once and keeps the others', async () => {
    const account = await newAccount();
    const [mine, lost, other] = await openThreeDevices(account);
    const response = await end(mine, lost.sessionId);
    expect({ status: response.status, text: response.text }).to.deep.equal({ status: 204, text: '' });
    await client().expectSignedOut(lost);
    expectError(await list(lost), 401, 'TOKEN_INVALID');
    await client().expectSignedIn(other);
    await client().expectSignedIn(mine);
  });

  it('allows a sign-in with the same session after it was ended', async () => {
    const account = await newAccount();
    const [mine, lost] = [await client().openDevice(account), await client().openDevice(account)];
    expect((await end(mine, lost.sessionId)).status).to.equal(204);
    const again = await client().openDevice(account, lost.fingerprint);
    expect(again.sessionId).to.equal(lost.sessionId);
    expect(await idsIn(again)).to.have.members([mine.sessionId, lost.sessionId]);
    await client().expectSignedIn(again);
  });

  it('accepts the session id in any letter case', async () => {
    const account = await newAccount();
    const [mine, lost] = [await client().openDevice(account), await client().openDevice(account)];
    expect((await end(mine, lost.sessionId.toUpperCase())).status).to.equal(204);
    await client().expectSignedOut(lost);
  });

  it('signs the caller out when the current session is ended', async () => {
    const account = await newAccount();
    const [mine, other] = [await client().openDevice(account), await client().openDevice(account)];
    expect((await end(mine, mine.sessionId)).status).to.equal(204);
    await client().expectSignedOut(mine);
    await client().expectSignedIn(other);
  });

  it('returns the same 404 for the session of another user, an ended one and an unknown id', async () => {
    const account = await newAccount();
    const [mine, ended] = [await client().openDevice(account), await client().openDevice(account)];
    const otherDevice = await client().openDevice(await newAccount());
    expect((await end(mine, ended.sessionId)).status).to.equal(204);
    const responses = [
      await end(mine, otherDevice.sessionId),
      await end(mine, ended.sessionId),
      await end(mine, randomUUID()),
    ];
    for (const response of responses) expectError(response, 404, 'SESSION_NOT_FOUND');
    expect(new Set(responses.map(({ body }) => body.message)).size).to.equal(1);
    await client().expectSignedIn(otherDevice);
    await client().expectSignedIn(mine);
  });

  it('returns 400 for a session id that is not a UUID', async () => {
    const mine = await client().openDevice(await newAccount());
    for (const id of ['1', 'all', `${mine.sessionId}x`, `urn:uuid:${mine.sessionId}`, "'%20or%201=1"])
      expectError(await end(mine, id), 400, 'VALIDATION_FAILED', '/params/sessionId');
    await client().expectSignedIn(mine);
  });

  it('ends all other sessions of the user and nothing else', async () => {
    const account = await newAccount();
    const [mine, ...others] = await openThreeDevices(account);
    const otherDevice = await client().openDevice(await newAccount());
    const response = await endOthers(mine);
    expect({ status: response.status, text: response.text }).to.deep.equal({ status: 204, text: '' });
    for (const other of others) await client().expectSignedOut(other);
    expect(await idsIn(mine)).to.deep.equal([mine.sessionId]);
    await client().expectSignedIn(mine);
    await client().expectSignedIn(otherDevice);
    expect(
      (await endOthers({ ...mine, ...(await client().openDevice(account, mine.fingerprint)) })).status,
    ).to.equal(204);
  });

  it('records the end of another session and of all others, with their number', async () => {
    const account = await newAccount();
    const [mine, ...others] = await openThreeDevices(account);
    const ended = await client().openDevice(account);
    expect((await end(mine, ended.sessionId.toUpperCase())).status).to.equal(204);
    for (const _time of [1, 2]) expect((await endOthers(mine)).status).to.equal(204);
    const records = await service().records.auditOf(account.userId);
    expect(records.map(({ action, actorId, details }) => [action, actorId, details])).to.deep.equal([
      ['SESSION_ENDED', account.userId, { kind: 'customer', sessionId: ended.sessionId, count: 1 }],
      ['SESSIONS_ENDED', account.userId, { kind: 'customer', count: others.length }],
    ]);
  });

  it('records no end of the current session, which is a sign-out', async () => {
    const account = await newAccount();
    const mine = await client().openDevice(account);
    expect((await end(mine, mine.sessionId)).status).to.equal(204);
    expect(await service().records.auditOf(account.userId)).to.deep.equal([]);
  });

  it('keeps at most one of two devices that end each other concurrently', async () => {
    const account = await newAccount();
    const [one, two] = [await client().openDevice(account), await client().openDevice(account)];
    const responses = await Promise.all([endOthers(one), endOthers(two)]);
    for (const { status } of responses) expect(status).to.be.oneOf([204, 401]);
    const alive = [await client().me(one), await client().me(two)].filter(({ status }) => status === 200);
    expect(alive.length).to.be.at.most(1);
  });

  it('ignores the fingerprint and the session id of the headers', async () => {
    const mine = await client().openDevice(await newAccount());
    const headers = { ...accessHeaders(mine), 'X-Fingerprint': 'another', 'X-Session-Id': randomUUID() };
    const response = await send(service().url, 'GET', `${CUSTOMER.path}/sessions`, { headers });
    expect(sessionsOf(response).map(({ id }) => id)).to.deep.equal([mine.sessionId]);
  });

  it('returns 401 without a token, with a refresh token and with one of another kind', async () => {
    const account = await newAccount();
    const mine = await client().openDevice(account);
    const otherDevice = await service().as('employee').createDevice();
    for (const token of [undefined, mine.refreshToken, otherDevice.accessToken, 'garbage'])
      for (const response of [
        await call('GET', CUSTOMER, '', token),
        await call('DELETE', CUSTOMER, '', token),
        await call('DELETE', CUSTOMER, `/${mine.sessionId}`, token),
      ]) {
        expectError(response, 401, 'TOKEN_INVALID');
        expect(response.headers['www-authenticate']).to.equal('Bearer');
      }
    await client().expectSignedIn(mine);
  });

  it('returns 401 when the user is blocked', async () => {
    const account = await newAccount();
    const [mine, other] = [await client().openDevice(account), await client().openDevice(account)];
    await setBlocked(service().databaseUrl, account.userId, true);
    for (const response of [await list(mine), await end(mine, other.sessionId), await endOthers(mine)])
      expectError(response, 401, 'USER_BLOCKED');
    await setBlocked(service().databaseUrl, account.userId, false);
    await client().expectSignedIn(other);
  });
});
