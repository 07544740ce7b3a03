import { createAuthClient } from '@platform/shared/testing/auth-client';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import { expectError } from '@platform/shared/testing/responses';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import { uniqueLabel, useTestBench } from '../../testing/use-test-bench.ts';
import { toAccountKind } from './clients.ts';

type Wanted = { is?: string; kind?: string; with?: string[]; profile?: object; language?: string };

describe('people of the test bench', () => {
  const bench = useTestBench();
  const request = (wanted: Wanted, label = uniqueLabel()) =>
    bench().client.createPerson({ body: { label, ...wanted } });
  const make = async (wanted: Wanted = {}, label?: string) => {
    const { status, body, text } = await request(wanted, label);
    expect(status, text).to.equal(201);
    return body;
  };
  /** A client whose requests come from the network of the person. */
  const clientOf = ({ kind, label, network }: Awaited<ReturnType<typeof make>>) => {
    const { sendOrThrow } = createHttpClient(bench().gatewayUrl);
    const own = { 'X-Test-Label': label, 'X-Test-Network': network };
    const send: typeof sendOrThrow = (call) => sendOrThrow({ ...call, headers: { ...own, ...call.headers } });
    return createAuthClient(bench().gatewayUrl, toAccountKind(kind), send);
  };
  const signIn = async (person: Awaited<ReturnType<typeof make>>) => {
    const { email, password } = person;
    return formatStatus(await clientOf(person).signIn({ fingerprint: 'another', body: { email, password } }));
  };
  const meOf = (person: Awaited<ReturnType<typeof make>>) => {
    const { token: accessToken, ...session } = person.session;
    return clientOf(person).me({ ...session, accessToken });
  };

  for (const kind of ['customer', 'employee', 'ADMIN', 'OPERATOR', 'ARBITER'])
    it(`are verified and signed in: ${kind}`, async () => {
      const person = await make({ kind });
      const { user } = (await meOf(person)).body;
      expect(user).to.include({ id: person.id, email: person.email, isEmailVerified: true });
      expect(user.roles).to.deep.equal([kind.toUpperCase()]);
      expect(await signIn(person)).to.equal('200');
    });

  const STATES: [is: string, kind: string, signsIn: string][] = [
    ['unverified', 'customer', '200'],
    ['blocked', 'employee', '401 USER_BLOCKED'],
    ['deleted', 'customer', '401 INVALID_CREDENTIALS'],
    ['role-removed', 'OPERATOR', '403 PLATFORM_ROLE_INVALID'],
    ['last-team-administrator', 'employee', '200'],
    ['provider-only', 'customer', '400 VALIDATION_FAILED'],
  ];
  for (const [is, kind, expected] of STATES)
    it(`can be ${is}`, async () => {
      expect(await signIn(await make({ is, kind }))).to.equal(expected);
    });

  it('can be paused for other networks, and not for their own device', async () => {
    const person = await make({ is: 'paused' });
    const { email, password, session } = person;
    const other = createAuthClient(bench().gatewayUrl, 'customer');
    expectError(
      await other.signIn({ fingerprint: 'another', body: { email, password } }),
      429,
      'RATE_LIMITED',
    );
    const own = await clientOf(person).signIn({
      fingerprint: session.fingerprint,
      body: { email, password },
    });
    expect(own.status).to.equal(200);
  });

  it('can be invited, for 7 days', async () => {
    const { id, invitation, password } = await make({ is: 'invited', kind: 'ARBITER' });
    expect(password).to.equal(undefined);
    const check = () =>
      createAuthClient(bench().gatewayUrl, 'administrator').invitationCheck({
        body: { code: invitation.code },
      });
    expect((await check()).status).to.equal(200);
    expect((await bench().client.agePerson({ id, body: { by: 'P7DT1S' } })).body.ended).to.deep.equal([
      'invitation',
    ]);
    expectError(await check(), 400, 'CODE_INVALID');
  });

  it('have an app whose current code is unused, a passkey, and stay signed in', async () => {
    const person = await make({ with: ['app', 'passkey', 'stay'] });
    const { app, recoveryCodes, passkey, email, password } = person;
    expect(recoveryCodes).to.have.lengthOf(10);
    expect(passkey.credential).to.include.keys(
      'credentialId',
      'privateKey',
      'rpId',
      'userHandle',
      'signCount',
    );
    const client = clientOf(person);
    const { challenge, fingerprint } = await client.startSignIn({ email, password });
    const body = { challenge, totpCode: totpCode(app.secret) };
    expect((await client.signInSecondFactor({ fingerprint, body })).status).to.equal(200);
    const { token: accessToken, ...session } = person.session;
    const { data } = (await client.listSessions({ ...session, accessToken })).body;
    expect(data.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent).staysSignedIn).to.equal(true);
  });

  it('have a profile and a language', async () => {
    const person = await make({ profile: { firstName: 'Ada' }, language: 'de' });
    expect((await meOf(person)).body.profile.firstName).to.equal('Ada');
    const { data } = (await bench().client.listMails({ query: { to: person.email, wait: 5 } })).body;
    expect(data[0].html).to.include('lang="de"');
  });

  it('are rejected with 400 if a word does not fit the kind', async () => {
    const unfitting: [Wanted, string][] = [
      [{ is: 'invited' }, '/body/is'],
      [{ is: 'blocked', kind: 'ADMIN' }, '/body/is'],
      [{ is: 'restricted', kind: 'ADMIN' }, '/body/is'],
      [{ is: 'last-team-administrator' }, '/body/is'],
      [{ kind: 'ADMIN', with: ['stay'] }, '/body/with/0'],
      [{ is: 'unverified', with: ['app'] }, '/body/with/0'],
      [{ kind: 'OPERATOR', profile: { firstName: 'Ada' } }, '/body/profile'],
    ];
    for (const [wanted, path] of unfitting)
      expectError(await request(wanted), 400, 'VALIDATION_FAILED', path);
  });

  it('can be more than the twenty whom an ADMIN may invite in an hour', async () => {
    const label = uniqueLabel();
    await Promise.all(Array.from({ length: 25 }, () => make({ is: 'invited', kind: 'OPERATOR' }, label)));
  });

  it('can be two hundred at once', async () => {
    const label = uniqueLabel();
    await Promise.all(Array.from({ length: 200 }, () => make({}, label)));
    expect((await bench().client.deleteLabel({ label })).status).to.equal(204);
  });
});

describe('accounts of a label', () => {
  const bench = useTestBench();
  const make = async (label: string, wanted: Wanted) =>
    (await bench().client.createPerson({ body: { label, ...wanted } })).body;

  it('are deleted with it, whatever hinders them, and nothing of another label is', async () => {
    const [label, other] = [uniqueLabel(), uniqueLabel()];
    const kept = await make(other, {});
    const people = [
      await make(label, { kind: 'employee', is: 'last-team-administrator' }),
      await make(label, { kind: 'ADMIN' }),
      await make(label, { kind: 'OPERATOR', is: 'invited' }),
      await make(label, { is: 'blocked' }),
    ];
    expect((await bench().client.deleteLabel({ label })).status).to.equal(204);
    for (const { id } of people)
      expectError(await bench().client.agePerson({ id, body: { by: 'PT1S' } }), 404, 'PERSON_NOT_FOUND');
    expect((await bench().client.agePerson({ id: kept.id, body: { by: 'PT1S' } })).status).to.equal(200);
  });

  it('are deleted while those of nineteen other labels work, and none of these notices', async () => {
    const deleted = uniqueLabel();
    await Promise.all(Array.from({ length: 10 }, () => make(deleted, { with: ['app'] })));
    const workers = await Promise.all(Array.from({ length: 19 }, () => make(uniqueLabel(), {})));
    let isDeleted = false;
    const work = async ({ id, label, network, email, password }: Awaited<ReturnType<typeof make>>) => {
      const { send } = createHttpClient(bench().gatewayUrl);
      const own = { 'X-Test-Label': label, 'X-Test-Network': network };
      const client = createAuthClient(bench().gatewayUrl, 'customer', (request) =>
        send({ ...request, headers: { ...own, ...request.headers } }),
      );
      // At least one round after the deletion.
      for (let isLast = false; !isLast; ) {
        isLast = isDeleted;
        const device = await client.openDevice({ email, password });
        expect((await client.me(device)).body.user.id).to.equal(id);
        expect((await bench().client.agePerson({ id, body: { by: 'PT1H1S' } })).status).to.equal(200);
        expectError(await client.me(device), 401, 'TOKEN_INVALID');
        expect((await bench().client.listMails({ query: { label } })).body.data).to.have.length(1);
      }
    };
    const deletion = bench()
      .client.deleteLabel({ label: deleted })
      .finally(() => {
        isDeleted = true;
      });
    await Promise.all(workers.map(work));
    expect((await deletion).status).to.equal(204);
    expect((await bench().client.listMails({ query: { label: deleted } })).body.data).to.deep.equal([]);
  });

  it('are those that were signed up through the proxy under it, and no others', async () => {
    const label = uniqueLabel();
    const signUp = async (headers: Record<string, string>) => {
      const body = { email: `${uniqueLabel()}@example.com`, password: 'Correct horse 1' };
      const client = createAuthClient(bench().gatewayUrl, 'customer');
      return (await client.signUp({ body, headers })).body.user.id as string;
    };
    const age = async (id: string) => (await bench().client.agePerson({ id, body: { by: 'PT1S' } })).status;
    expect(await age(await signUp({ 'X-Test-Label': label }))).to.equal(200);
    expect(await age(await signUp({}))).to.equal(404);
  });
});
