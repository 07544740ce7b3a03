import { randomUUID } from 'node:crypto';
import { createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { createHttpClient, type HttpClient, type HttpResponse } from '@platform/shared/testing/http-client';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import { signInAs } from '@platform/test/provider-sign-in';
import { expect } from 'chai';
import type { useTestBench } from '../../testing/use-test-bench.ts';

export type Wanted = { is?: string; kind?: string; with?: readonly string[] };
/** A person, however made. `device` is missing where no session is left. */
export type MadePerson = {
  label: string;
  network: string;
  id: string;
  email: string;
  password: string;
  device: Device | undefined;
};
type Bench = ReturnType<ReturnType<typeof useTestBench>>;
type Maker = { bench: Bench; label: string; send: HttpClient['send']; wanted: Wanted };

const INVITATION_CODE = /\b[a-z2-7]{4}(?:-[a-z2-7]{4}){7}\b/;

const isRole = (kind: string): boolean => kind === kind.toUpperCase();

const bodyOf = ({ status, body, text }: HttpResponse, expected: number) => {
  expect(status, text).to.equal(expected);
  return body;
};

/** Sends through the proxy, from one network of a label. */
export const sendFrom = ({ gatewayUrl }: Bench, label: string, network?: string): HttpClient['send'] => {
  const { send } = createHttpClient(gatewayUrl);
  const own = { 'X-Test-Label': label, 'X-Test-Network': network };
  return (request) => send({ ...request, headers: { ...own, ...request.headers } });
};

const untilMail = async ({ bench }: Maker, to: string, mail: string) => {
  const { body } = await bench.client.listMails({ query: { to, mail, wait: 20 } });
  return body.data[0] as { code: string; text: string };
};

/** A colleague who invites, blocks, and takes platform roles away. */
const openColleague = async (maker: Maker) => {
  const { bench, label } = maker;
  const { body } = await bench.client.createPerson({ body: { label: `${label}-admin`, kind: 'ADMIN' } });
  const Authorization = `Bearer ${body.session.token}`;
  const send = sendFrom(bench, body.label, body.network);
  return async (method: string, path: string, expected: number, sent?: object) =>
    bodyOf(await send({ method, path: `/api/v1${path}`, headers: { Authorization }, body: sent }), expected);
};

const invite = async (maker: Maker, email: string) => {
  const { kind: role } = maker.wanted;
  const colleague = await openColleague(maker);
  const { id } = await colleague('POST', '/administrator/invitations', 201, { email, role });
  const { text } = await untilMail(maker, email, 'invitation');
  return { id: String(id), code: INVITATION_CODE.exec(text)?.[0] };
};

const addFactors = async (
  { bench, wanted }: Maker,
  client: ReturnType<typeof createAuthClient>,
  device: Device,
) => {
  const body = { currentPassword: PASSWORD };
  if (wanted.with?.includes('passkey')) {
    const authenticator = createSoftwareAuthenticator(
      new URL(bench.gatewayUrl).origin.replace('127.0.0.1', 'localhost'),
    );
    const options = bodyOf(await client.passkeyOptions({ ...device, body }), 200);
    const response = authenticator.create(options);
    bodyOf(await client.passkeyCreate({ ...device, body: { response, name: 'Test bench' } }), 201);
  }
  if (wanted.with?.includes('app')) {
    const { secret } = bodyOf(await client.totpSetUp({ ...device, body }), 201);
    bodyOf(await client.totpConfirm({ ...device, body: { code: totpCode(secret, -1) } }), 200);
  }
};

/** The steps of a tester to each state, after the sign-in. Each function returns whether the session is left. */
const STATES: Record<
  string,
  (maker: Maker, person: MadePerson, client: ReturnType<typeof createAuthClient>) => Promise<boolean>
> = {
  blocked: async (maker, { id }) => {
    await (await openColleague(maker))('PATCH', `/users/${id}/block`, 200);
    return false;
  },
  paused: async ({ bench, label, wanted }, { email }) => {
    for (let network = 0; network < 20; network += 1) {
      const { network: another } = (await bench.client.addNetwork({ label })).body;
      const guesser = createAuthClient(
        bench.gatewayUrl,
        wanted.kind === 'employee' ? 'employee' : 'customer',
        sendFrom(bench, label, another),
      );
      for (let guess = 0; guess < 5; guess += 1)
        bodyOf(
          await guesser.signIn({
            fingerprint: uniqueFingerprint(),
            body: { email, password: 'Wrong horse 1' },
          }),
          401,
        );
    }
    return true;
  },
  deleted: async (_, { device }, client) => {
    bodyOf(await client.accountDelete({ ...device, body: { currentPassword: PASSWORD } }), 204);
    return false;
  },
  'role-removed': async (maker, { id }) => {
    await (await openColleague(maker))('DELETE', `/users/${id}/platform-role`, 204);
    return false;
  },
  'last-team-administrator': async ({ bench }, { email, device }, client) => {
    const { user } = bodyOf(await client.me(device), 200);
    const body = { name: `Team of ${email}`, administratorId: user.employeeId };
    bodyOf(await createServiceClient(bench.adminUrl).putTeam({ id: randomUUID(), body }), 201);
    return true;
  },
};

/** Makes a person as a tester without the test bench would: by requests of the product and the codes of its mails. */
export const makeByHand = async (bench: Bench, label: string, wanted: Wanted): Promise<MadePerson> => {
  const { is = 'verified', kind = 'customer' } = wanted;
  const { network } = (await bench.client.addNetwork({ label })).body;
  const send = sendFrom(bench, label, network);
  const maker = { bench, label, send, wanted };
  const client = createAuthClient(
    bench.gatewayUrl,
    isRole(kind) ? 'administrator' : (kind as 'customer'),
    send,
  );
  const email = uniqueEmail();
  const person: MadePerson = { label, network, id: '', email, password: PASSWORD, device: undefined };
  if (is === 'invited') return { ...person, id: (await invite(maker, email)).id };
  if (is === 'provider-only') {
    const device = client.toDevice(await signInAs(client, 'company', 'newcomer@example.com'));
    const { user } = bodyOf(await client.me(device), 200);
    return { ...person, id: user.id, email: user.email, device };
  }
  if (isRole(kind)) {
    const { code } = await invite(maker, email);
    person.id = bodyOf(await client.invitationAccept({ body: { code, password: PASSWORD } }), 201).id;
  } else person.id = bodyOf(await client.signUp({ body: { email, password: PASSWORD } }), 201).user.id;
  const stay = wanted.with?.includes('stay') ? { staySignedIn: true } : {};
  const signedIn = await client.signIn({
    fingerprint: uniqueFingerprint(),
    body: { email, password: PASSWORD, ...stay },
  });
  const device = client.toDevice(signedIn);
  if (!isRole(kind) && is !== 'unverified') {
    bodyOf(await client.verificationEmailCode(device), 200);
    const { code } = await untilMail(maker, email, 'verification-code');
    bodyOf(await client.verificationEmailCodeCheck({ ...device, body: { code } }), 200);
  }
  await addFactors(maker, client, device);
  const left = (await STATES[is]?.(maker, { ...person, device }, client)) ?? true;
  return { ...person, device: left ? device : undefined };
};

/** Makes the same person in one request. */
export const makeByBench = async (bench: Bench, label: string, wanted: Wanted): Promise<MadePerson> => {
  const { status, body, text } = await bench.client.createPerson({ body: { label, ...wanted } });
  expect(status, text).to.equal(201);
  const { id, network, email, password = PASSWORD, session } = body;
  const device = session && { ...session, accessToken: session.token };
  return { label, network, id, email, password, device };
};
