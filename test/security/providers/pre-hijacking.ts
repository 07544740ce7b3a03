import { randomUUID } from 'node:crypto';
import { type AccountKind, CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import type { Prove } from '../pre-hijacking/proofs.ts';
import { createClaimant, type ProviderFixture, type Providers, withKind } from './fixture.ts';

const NEW_PASSWORD = 'A better horse 2';

/** Ways in which the owner of the address gets an account that an attacker created with a provider. */
const RECOVERIES: Record<
  string,
  (fixture: ProviderFixture, kind: AccountKind, email: string) => Promise<HttpResponse>
> = {
  'reset by code': async (fixture, kind, email) => {
    const { auth } = withKind(fixture, kind);
    await auth.sendResetCode({ email });
    const code = codeIn(await fixture.inbox.untilMail(email, 'Your code to reset the password'));
    await auth.resetPassword({ email, code, newPassword: NEW_PASSWORD });
    return await auth.signIn({ email, password: NEW_PASSWORD }, 'owner');
  },
  'sign-in with a provider that may vouch': (fixture, kind, email) =>
    withKind(fixture, kind).signInAs('company', fixture.providers.addPerson(email)),
};

/** The attacker is first: with a provider that lets anyone claim an address. */
export const testPreHijackingByProvider = async (fixture: ProviderFixture): Promise<void> => {
  const { refused, accepted } = fixture;
  const claim = createClaimant(fixture);
  fixture.section('Account pre-hijacking with a provider that may vouch for no domain');
  const { auth } = fixture.oidc;
  for (const [recovery, recover] of Object.entries(RECOVERIES)) {
    const person = { sub: randomUUID(), email: uniqueEmail() };
    const { email } = person;
    const claimed = await claim(person, 'social');
    await accepted('the attacker signs up with the address', claimed);
    const device = auth.toDevice(claimed);
    const link = fixture.oidc.startLink(device, 'social', {});
    await refused('the attacker links a second identity', link, '403 EMAIL_NOT_VERIFIED');
    await refused(
      'the attacker adds a passkey',
      fixture.oidc.factors.as(device, 'POST', '/passkeys/options', {}),
      '403 EMAIL_NOT_VERIFIED',
    );
    const signUp = auth.signUp({ email, password: NEW_PASSWORD });
    await refused('the owner signs up', signUp, '409 EMAIL_TAKEN');
    const recovered = await recover(fixture, CUSTOMER, email);
    await accepted(`${recovery}: the owner`, recovered);
    await refused("the attacker's access token", auth.me(device), '401 TOKEN_INVALID');
    await refused("the attacker's refresh token", auth.refresh(device), '401 TOKEN_INVALID');
    await refused("the attacker's identity", claim(person, 'social'), '409 ACCOUNT_EXISTS');
    await accepted("the owner's session", auth.me(auth.toDevice(recovered)));
  }
};

/** The other direction, for the table of pre-hijacking: the attacker is first with a password. */
export const proveWithProvider =
  (providers: Providers): Prove =>
  async ({ fixture, user }) => {
    const { email, kind } = user;
    const oidc = withKind(fixture, kind);
    const device = oidc.auth.toDevice(await oidc.signInAs('company', providers.addPerson(email)));
    const set = await oidc.auth.changePassword(device, { newPassword: NEW_PASSWORD });
    if (set.status !== 204) throw new Error(`The owner sets a password: ${set.status} ${set.text}`);
    return { account: { email, password: NEW_PASSWORD }, device };
  };
