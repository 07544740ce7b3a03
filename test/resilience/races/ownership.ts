import { setTimeout as delay } from 'node:timers/promises';
import { ADMINISTRATOR, CUSTOMER, type Device, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn, createInboxClient } from '@platform/shared/testing/inbox';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import type { FactorClient } from '../../factor-client.ts';
import {
  type Checker,
  createChecker,
  type Member,
  prepareInGroups,
  type Race,
  type RaceFixture,
} from './fixture.ts';

const KINDS = [CUSTOMER, EMPLOYEE, ADMINISTRATOR];
const MAX_DELAY_MILLISECONDS = 12;
const MAIL_SECONDS = 60;
const NO_FACTORS = '{"totp":null,"passkeys":[],"recoveryCodesLeft":0}';

type RacedFactor = 'TOTP' | 'passkey';
type Begun = { enable: () => Promise<HttpResponse> };
type Subject = { member: Member; factors: FactorClient; owner: Device; stranger: Device; begun: Begun };

const BEGIN: Record<RacedFactor, (factors: FactorClient, device: Device) => Promise<Begun>> = {
  TOTP: async (factors, device) => {
    const secret = await factors.setUpTotp(device);
    return { enable: () => factors.confirmTotp(device, totpCode(secret)) };
  },
  passkey: async (factors, device) => {
    const options = await factors.getCreationOptions(device);
    const response = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(options);
    return { enable: () => factors.as(device, 'POST', '/passkeys', { response, name: 'Stranger' }) };
  },
};

/** A factor is begun while the address is unverified, as in data of releases that allowed it. */
const prepareSubjects = (fixture: RaceFixture, factor: RacedFactor) => {
  const inbox = createInboxClient(fixture.stack.inboxUrl);
  let count = 0;
  return prepareInGroups(async (): Promise<Subject & { code: string }> => {
    count += 1;
    const member = await fixture.signUpVerified(KINDS[count % KINDS.length]);
    const factors = fixture.factors(member.kind);
    const [owner, stranger] = [await fixture.signIn(member), await fixture.signIn(member)];
    const begun = await BEGIN[factor](factors, stranger);
    await fixture.records.query('update users set is_email_verified = false where id = $1', [member.userId]);
    const sent = await factors.auth.sendVerificationCode(owner);
    if (sent.status !== 200) throw new Error(`No code for ${member.email}: ${formatStatus(sent)}`);
    const code = codeIn(await inbox.untilMail(member.email, '', 1, MAIL_SECONDS));
    return { member, factors, owner, stranger, begun, code };
  });
};

const checkOwned = async ({ member, factors, owner, stranger }: Subject, { check }: Checker) => {
  const { text } = await factors.auth.secondFactor(owner);
  check(text === NO_FACTORS, 'the owner is signed in, and no factor of the stranger is left', text);
  for (const request of [factors.auth.me, factors.auth.refresh]) {
    const response = await request(stranger);
    check(response.code === 'TOKEN_INVALID', "the stranger's session ended", formatStatus(response));
  }
  const signedIn = await factors.auth.signIn(member, uniqueFingerprint());
  check(signedIn.status === 200, 'the password signs in', formatStatus(signedIn));
};

/** The owner verifies the address while another session enables a factor. */
export const createOwnershipRace = (fixture: RaceFixture, factor: RacedFactor): Race => {
  const prepare = prepareSubjects(fixture, factor);
  return {
    name: `verification against enabling ${factor}`,
    concurrency: 2,
    run: async (round) => {
      const checker = createChecker();
      const { code, ...subject } = await prepare();
      const [verified, enabled] = await Promise.all([
        subject.factors.auth.verifyEmail(subject.owner, { code }),
        delay((round / 2) % MAX_DELAY_MILLISECONDS).then(subject.begun.enable),
      ]);
      checker.check(verified.status === 200, 'the owner verifies the address', formatStatus(verified));
      const refusals = ['403 EMAIL_NOT_VERIFIED', '401 TOKEN_INVALID', '401 SECOND_FACTOR_INVALID'];
      const refused = formatStatus(enabled);
      checker.check(refusals.includes(refused), 'the stranger enables no factor', refused);
      await checkOwned(subject, checker);
      return { results: [verified, enabled].map(formatStatus), violations: checker.violations };
    },
  };
};
