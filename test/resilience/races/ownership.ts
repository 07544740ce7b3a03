import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Device } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { PASSKEY_ORIGIN } from '@platform/shared/testing/passkey-client';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { totpCode } from '@platform/shared/testing/totp';
import type { FactorClient } from '../../factor-client.ts';
import { createRace, KINDS, type Race, type RaceFixture } from './fixture.ts';

const MAX_DELAY_MILLISECONDS = 12;
const MAIL_SECONDS = 60;
const NO_FACTORS = { totp: null, passkeys: [], recoveryCodesLeft: 0 };

type RacedFactor = 'TOTP' | 'passkey';
/** Begins to add a factor; returns the request that enables it. */
type Begin = (factors: FactorClient, device: Device) => Promise<() => Promise<HttpResponse>>;

const BEGIN: Record<RacedFactor, Begin> = {
  TOTP: async (factors, device) => {
    const secret = await factors.setUpTotp(device);
    return () => factors.confirmTotp(device, totpCode(secret));
  },
  passkey: async (factors, device) => {
    const options = await factors.getCreationOptions(device);
    const response = createSoftwareAuthenticator(PASSKEY_ORIGIN).create(options);
    return () => factors.as(device, 'POST', '/passkeys', { response, name: 'Stranger' });
  },
};

/** The owner verifies the address while another session enables a factor, begun before as in data of earlier releases. */
export const createOwnershipRace = (fixture: RaceFixture, factor: RacedFactor): Race => {
  let count = 0;
  return createRace(
    async () => {
      count += 1;
      const member = await fixture.signUpVerified(KINDS[count % KINDS.length]);
      const factors = fixture.factors(member.kind);
      const [owner, stranger] = [await fixture.signIn(member), await fixture.signIn(member)];
      const enable = await BEGIN[factor](factors, stranger);
      const text = 'update users set is_email_verified = false where id = $1';
      await fixture.records.query(text, [member.userId]);
      const sent = await factors.auth.sendVerificationCode(owner);
      if (sent.status !== 200) throw new Error(`No code for ${member.email}: ${formatStatus(sent)}`);
      const code = codeIn(await fixture.inbox.untilMail(member.email, '', 1, MAIL_SECONDS));
      return { member, auth: factors.auth, owner, stranger, enable, code };
    },
    async ({ member, auth, owner, stranger, enable, code }, check, round) => {
      const [verified, enabled] = await Promise.all([
        auth.verifyEmail(owner, { code }),
        delay((round / 2) % MAX_DELAY_MILLISECONDS).then(enable),
      ]);
      check(verified.status === 200, 'the owner verifies the address', formatStatus(verified));
      const refusals = ['403 EMAIL_NOT_VERIFIED', '401 TOKEN_INVALID', '401 SECOND_FACTOR_INVALID'];
      check(refusals.includes(formatStatus(enabled)), 'the stranger enables none', formatStatus(enabled));
      const { text, body } = await auth.secondFactor(owner);
      check(
        isDeepStrictEqual(body, NO_FACTORS),
        'the owner is signed in, and no factor of the stranger is left',
        text,
      );
      for (const response of [await auth.me(stranger), await auth.refresh(stranger)])
        check(response.code === 'TOKEN_INVALID', "the stranger's session ended", formatStatus(response));
      const signedIn = await auth.signIn(member, uniqueFingerprint());
      check(signedIn.status === 200, 'the password signs in', formatStatus(signedIn));
      return [verified, enabled];
    },
  );
};
