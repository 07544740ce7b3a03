import { ADMINISTRATOR, bearer, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpClient, HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { basicAuth, SERVICE } from '@platform/shared/testing/service-client';
import { signInAs } from '../../provider-sign-in.ts';
import type { SwitchPlatform } from './platform.ts';

/** The address that BLOCKED_NETWORKS contains. */
const ATTACKER = '203.0.113.9';
const REFRESHED_DEVICES = 16;
const INVITATION_CODE = /^([a-z2-7]{4}(?:-[a-z2-7]{4}){7}) /;

class RequestFailed extends Error {
  readonly response: HttpResponse;
  constructor(response: HttpResponse) {
    super(`${response.status} ${response.text}`);
    this.response = response;
  }
}

const orThrow =
  (send: HttpClient['send']): HttpClient['send'] =>
  async (call) => {
    const response = await send(call);
    if (response.status < 200 || response.status >= 300) throw new RequestFailed(response);
    return response;
  };

/** Resolves with undefined after a success, or with the response of the step that failed. */
export const run = async (work: () => Promise<unknown>): Promise<HttpResponse | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof RequestFailed) return error.response;
    throw error;
  }
};

/** The operations of the load. Each throws RequestFailed at its first request that fails. */
export const createSwitchLoad = async (platform: SwitchPlatform) => {
  const { records, providers, waitForMail } = platform;
  const send = orThrow(platform.send);
  const customers = createAuthClient('', CUSTOMER, send);
  const sendFromAttacker = orThrow(platform.sendFrom(ATTACKER));
  const attacker = createAuthClient('', CUSTOMER, sendFromAttacker);
  const sendInternally = orThrow(platform.sendInternally);

  const newUser = (isEmailVerified = true) => records.user(['CUSTOMER'], { isEmailVerified });
  const known = await newUser();
  const { email, password } = known;
  const device = await customers.openDevice(known);
  const signInWith = async (provider: 'company' | 'partner', sub: string): Promise<Device> =>
    customers.toDevice(await signInAs(customers, provider, sub));
  const [colleague, partner] = [providers.company.addPerson(), providers.partner.addPerson()];
  const colleagueDevice = await signInWith('company', colleague);
  await signInWith('partner', partner);
  const refreshed: Device[] = [];
  while (refreshed.length < REFRESHED_DEVICES) refreshed.push(await customers.openDevice(known));
  const openAdministrator = async () =>
    bearer(await createAuthClient('', ADMINISTRATOR, send).openDevice(await records.user(['ADMIN'])));
  const administrator = await openAdministrator();
  const introspected = new URLSearchParams({ token: device.accessToken }).toString();

  const acceptInvitation = async (): Promise<void> => {
    const to = uniqueEmail();
    // An ADMIN may send twenty invitations an hour, so each one has another ADMIN.
    const headers = await openAdministrator();
    const path = '/api/v1/administrator/invitations';
    await send({ method: 'POST', path, headers, body: { email: to, role: 'OPERATOR' } });
    const [, code] = INVITATION_CODE.exec(await waitForMail(to)) ?? [];
    const body = { code, password: 'Invited horse 7' };
    await send({ method: 'POST', path: '/api/v1/auth/admin/invitations/accept', body });
  };
  const refresh = async (): Promise<void> => {
    const next = refreshed.shift();
    if (!next) throw new Error('Every device has a refresh under way');
    // A device that was refused keeps its token, and is tried again.
    let kept = next;
    try {
      kept = await customers.refreshed(next);
    } finally {
      refreshed.push(kept);
    }
  };
  const signInWithCode = async (): Promise<void> => {
    const user = await newUser();
    await customers.signInEmailCodeSend({ body: { email: user.email } });
    const code = codeIn({ text: await waitForMail(user.email) });
    await customers.signInEmailCode({ fingerprint: uniqueFingerprint(), body: { email: user.email, code } });
  };
  const verifyAddress = async (): Promise<void> => {
    const user = await newUser(false);
    const unverified = await customers.openDevice(user);
    await customers.verificationEmailCode(unverified);
    const code = codeIn({ text: await waitForMail(user.email) });
    await customers.verificationEmailCodeCheck({ ...unverified, body: { code } });
  };
  const resetPassword = async (): Promise<void> => {
    const user = await newUser();
    await customers.resetPasswordEmailCodeSend({ body: { email: user.email } });
    const code = codeIn({ text: await waitForMail(user.email) });
    const body = { email: user.email, code, newPassword: 'A better horse 2' };
    await customers.resetPasswordEmailCode({ body });
  };
  const startLink = () =>
    customers.identityAuthorize({
      ...device,
      provider: 'company',
      body: { redirectUri: 'http://localhost:4200/callback/company', currentPassword: password },
    });
  const introspect = () =>
    sendInternally({
      method: 'POST',
      path: '/internal/v1/introspect',
      headers: {
        Authorization: basicAuth(SERVICE.name, SERVICE.secret),
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: introspected,
    });
  const submitForm = () =>
    send({
      method: 'POST',
      path: '/api/v1/contact/lead',
      body: { name: 'Ada', email: 'visitor@example.com', message: 'Hello' },
    });

  /** The operations by name, with their rate a second. */
  const operations: Record<string, readonly [number, () => Promise<unknown>]> = {
    'sign-up with a password': [0.5, () => customers.signUp({ body: { email: uniqueEmail(), password } })],
    'sign-up with a provider': [0.3, () => signInWith('company', providers.company.addPerson())],
    'sign-in with a provider': [0.3, () => signInWith('company', colleague)],
    'start of a link to a provider': [0.3, startLink],
    'sign-up with another provider': [0.3, () => signInWith('partner', providers.partner.addPerson())],
    'sign-in with another provider': [0.3, () => signInWith('partner', partner)],
    'sign-in with a password': [1, () => customers.openDevice({ email, password: PASSWORD })],
    'sign-in with a mailed code': [0.3, signInWithCode],
    'verification of an address by code': [0.3, verifyAddress],
    'reset of a password by code': [0.3, resetPassword],
    'acceptance of an invitation': [0.3, acceptInvitation],
    refresh: [1, refresh],
    me: [2, () => customers.me(device)],
    "me in a provider's session": [0.5, () => customers.me(colleagueDevice)],
    'list of users': [0.5, () => send({ path: '/api/v1/users?perPage=20', headers: administrator })],
    'contact form': [0.5, submitForm],
    'introspection by another service': [0.5, introspect],
    'health check': [0.5, () => send({ path: '/readyz' })],
    "an attacker's sign-in": [0.5, () => attacker.openDevice({ email, password })],
    "an attacker's me": [0.5, () => attacker.me(device)],
    "an attacker's health check": [0.5, () => sendFromAttacker({ path: '/readyz' })],
  };
  const readOffers = async (): Promise<{ methods: string[]; providers: string[] }> => {
    const { body } = await customers.signInMethods({});
    return { methods: body.methods, providers: body.providers.map(({ name }: { name: string }) => name) };
  };
  return { operations, readOffers };
};
