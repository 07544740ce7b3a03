import { randomUUID } from 'node:crypto';
import { ADMINISTRATOR, CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { createFactorUser, createVerifiedUser } from '../fixture.ts';
import { createClaimant, type ProviderFixture } from './fixture.ts';

const UNVERIFIED = '403 OIDC_EMAIL_UNVERIFIED';
const EXISTS = '409 ACCOUNT_EXISTS';

const getUserId = ({ body }: HttpResponse): string => String(body.user?.id);

const testUnverifiedAddresses = async (fixture: ProviderFixture): Promise<void> => {
  const { refused } = fixture;
  const claim = createClaimant(fixture);
  fixture.section('Sign-in with a provider: an address that the provider has not verified');
  const { email: verified } = await createVerifiedUser(fixture, CUSTOMER);
  const { email: unverified } = await fixture.createUser(CUSTOMER);
  for (const [owner, email] of [
    ['a verified account', verified],
    ['an unverified account', unverified],
    ['nobody', uniqueEmail()],
  ])
    for (const isVerified of [false, undefined, null, 1, 'yes'])
      await refused(
        `email_verified ${JSON.stringify(isVerified) ?? 'absent'}, the address of ${owner}`,
        claim({ email, email_verified: isVerified }),
        UNVERIFIED,
      );
  const [local = ''] = verified.split('@');
  for (const email of [
    undefined,
    '',
    `${verified}\n`,
    ` ${verified}`,
    `<${verified}>`,
    `${verified},evil@evil.example`,
    `evil@evil.example@example.com`,
    `"${local}"@example.com`,
    `${local}@ｅxample.com`,
    `${local}@example.com\0`,
  ])
    await refused(`the e-mail ${JSON.stringify(email) ?? 'absent'}`, claim({ email }), UNVERIFIED);
};

const testDomains = async (fixture: ProviderFixture): Promise<void> => {
  const { refused, records } = fixture;
  const claim = createClaimant(fixture);
  fixture.section('Sign-in with a provider: a domain that it may not vouch for, of a verified account');
  for (const domain of ['other.example', 'sub.example.com', 'xexample.com', 'example.com.evil.example']) {
    const email = `${randomUUID()}@${domain}`;
    await records.user(['CUSTOMER'], { email, isEmailVerified: true });
    await refused(`an address at ${domain}`, claim({ email }), EXISTS);
  }
  const { email } = await createVerifiedUser(fixture, CUSTOMER);
  await refused(
    'an address at example.com, by a provider without domains',
    claim({ email }, 'social'),
    EXISTS,
  );
  await refused('the same address in upper case', claim({ email: email.toUpperCase() }, 'social'), EXISTS);
};

const testOtherAccounts = async (fixture: ProviderFixture): Promise<void> => {
  const { oidc, providers, refused, accepted, records } = fixture;
  const claim = createClaimant(fixture);
  fixture.section('Sign-in with a provider: accounts of other kinds, identities of others, second factors');
  const customer = await createVerifiedUser(fixture, CUSTOMER);
  const { email } = customer;
  await refused(
    "a customer's address as an employee",
    claim({ email }, 'rogue', EMPLOYEE),
    '409 EMAIL_TAKEN',
  );
  await refused(
    "a customer's address as an administrator",
    claim({ email }, 'rogue', ADMINISTRATOR),
    '409 EMAIL_TAKEN',
  );
  const stranger = claim({ email: uniqueEmail() }, 'rogue', ADMINISTRATOR);
  await refused('a new administrator', stranger, '403 OIDC_NO_ACCOUNT');
  const sub = randomUUID();
  await accepted("the customer's identity", claim({ sub, email }));
  const asAdministrator = claim({ sub, email }, 'rogue', ADMINISTRATOR);
  await refused("the customer's identity as an administrator", asAdministrator, '409 EMAIL_TAKEN');
  const foreign = { email: `${randomUUID()}@evil.example`, isEmailVerified: true };
  await records.user(['ADMIN'], foreign);
  const ofDomain = claim({ email: foreign.email }, 'rogue', ADMINISTRATOR);
  await refused('an administrator of a domain that is not allowed', ofDomain, '403 DOMAIN_NOT_ALLOWED');

  const sameSubject = await claim({ sub, email: uniqueEmail() }, 'social');
  fixture.check(
    sameSubject.status === 200 && getUserId(sameSubject) !== customer.id,
    'the same subject at another provider',
    `${sameSubject.status}, another account`,
  );
  const attacker = await createVerifiedUser(fixture, CUSTOMER);
  const callbackUrl = await oidc.getLinkCallback(attacker.device, 'rogue', '', { currentPassword: PASSWORD });
  providers.rogue.misbehave({ claims: { sub, email } });
  const linked = await oidc.link(attacker.device, 'rogue', callbackUrl);
  providers.rogue.misbehave();
  await refused("linking the customer's identity", linked, '409 IDENTITY_TAKEN');
  const { body } = await oidc.factors.as(customer.device, 'GET', '/identities');
  const identity = String(body.data[0]?.id);
  const unlinked = oidc.unlink(attacker.device, identity, { currentPassword: PASSWORD });
  await refused("unlinking the customer's identity", unlinked, '404 IDENTITY_NOT_FOUND');
  const withoutPassword = oidc.unlink(customer.device, identity);
  await refused('unlinking it without the password', withoutPassword, '400 CURRENT_PASSWORD_WRONG');
  await records.block(customer.id);
  await refused('the identity of a blocked user', claim({ sub, email }), '401 USER_BLOCKED');
  const secured = await createFactorUser(fixture, CUSTOMER);
  for (const amr of [['pwd'], ['mfa', 'otp', 'hwk']])
    await refused(
      `amr ${amr.join(', ')}, where a second factor is enabled here`,
      claim({ email: secured.email, amr }),
      '401 SECOND_FACTOR_REQUIRED',
    );
};

/** Who gets which account. */
export const testProviderAccounts = async (fixture: ProviderFixture): Promise<void> => {
  await testUnverifiedAddresses(fixture);
  await testDomains(fixture);
  await testOtherAccounts(fixture);
};
