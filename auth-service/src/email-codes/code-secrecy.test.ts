import { createHash } from 'node:crypto';
import { MAIL_QUEUE } from '@platform/shared/platform/mail/mail-queue';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { Queue } from 'bullmq';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';

const QUEUE = /^bull:/;
const HASHES = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
  (['hex', 'base64', 'base64url'] as const).map((encoding) => ({ algorithm, encoding })),
);

const LIFETIMES: [RegExp, number][] = [
  [/^(customer|employee):(verification|reset-password)-code:/, 900],
  [/^(customer|employee):(verification|reset-password)-code-resend-lock:/, 120],
  [/^(verification|reset-password)-code-sent:/, 86_400],
];

/**
 * Matches the code only between delimiters, because a time in milliseconds may contain its digits by chance.
 */
const asWord = (code: string): RegExp => new RegExp(`(?<![0-9])${code}(?![0-9])`);

describe('e-mail code data in Redis', () => {
  const service = useAuthService();
  const client = () => service().as('customer');

  /** Sends both codes, attempts a wrong one, and requests a code for an unknown e-mail. */
  const leaveTraces = async () => {
    const account = await client().createAccount();
    const unknown = uniqueEmail();
    const device = await client().openDevice(account);
    const verification = await service().as('customer').requestVerificationCode(device, account.email);
    const reset = await service().as('customer').requestResetCode(account.email);
    expect((await client().resetPasswordEmailCodeSend({ body: { email: unknown } })).status).to.equal(200);
    await client().verificationEmailCodeCheck({ ...device, body: { code: getOtherCode(verification) } });
    return { ...account, unknown, codes: [verification, reset] };
  };
  const contents = async () =>
    Object.entries(await service().redis.dump()).map(([key, value]) => ({
      key,
      text: `${key} ${value}`,
    }));

  it('contains neither the digits nor a hash without a key', async () => {
    const { codes } = await leaveTraces();
    for (const { text } of await contents())
      for (const code of codes) {
        expect(text).not.to.match(asWord(code));
        for (const { algorithm, encoding } of HASHES)
          expect(text).not.to.include(createHash(algorithm).update(code).digest(encoding));
      }
  });

  it('contains no e-mail address, not even in the mail queue, and no user outside of it', async () => {
    const { email, unknown, userId } = await leaveTraces();
    for (const { key, text } of await contents()) {
      for (const address of [email, unknown]) expect(text).not.to.include(address);
      // A queued mail names the user on whom its code depends, so that a dead code is not sent again.
      if (!key.includes('bull:')) expect(text).not.to.include(userId);
    }
  });

  it('does not tell a code from the decoy of an unknown e-mail', async () => {
    const queue = new Queue(MAIL_QUEUE, { connection: service().redis.client });
    const describeJob = async (email: string) => {
      await queue.drain();
      const headers = { 'User-Agent': 'x'.repeat(300) };
      expect((await client().resetPasswordEmailCodeSend({ headers, body: { email } })).status).to.equal(200);
      const [job] = await queue.getJobs();
      const { jobId, ...options } = job?.opts ?? {};
      const { sealedMail, ...data } = job?.data ?? {};
      return {
        job: { name: job?.name, options, fields: Object.keys(data), hasId: jobId !== undefined },
        length: String(sealedMail).length,
      };
    };
    const { email, userId } = await client().createAccount();
    const timeZone = 'America/Argentina/Buenos_Aires';
    await service().records.query('update users set time_zone = $1 where id = $2', [timeZone, userId]);
    const code = await describeJob(email);
    const decoy = await describeJob(email.replace(/^./, 'x'));
    await queue.close();
    expect(decoy.job).to.deep.equal(code.job);
    expect(decoy.length).to.equal(code.length);
  });

  it('expires: codes, resend locks, and times of sent codes', async () => {
    const before = new Set(Object.keys(await service().redis.dump()));
    await leaveTraces();
    const keys = Object.keys(await service().redis.dump()).filter(
      (key) => !before.has(key) && !QUEUE.test(key),
    );
    const found: string[] = [];
    for (const key of keys) {
      const [name, seconds] = LIFETIMES.find(([pattern]) => pattern.test(key)) ?? [];
      expect(await service().redis.client.ttl(key), key).to.be.within((seconds ?? 0) - 60, seconds ?? 0);
      found.push(String(name));
    }
    const [code, lock, sent] = LIFETIMES.map(([pattern]) => String(pattern));
    expect(found).to.have.members([code, code, code, lock, lock, lock, sent, sent, sent]);
  });

  it('disappears when the code is used, except the time of its mail', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const before = new Set(Object.keys(await service().redis.dump()));
    const code = await service().as('customer').requestVerificationCode(device, account.email);
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
    const left = Object.keys(await service().redis.dump()).filter((key) => !before.has(key));
    const kept = /^bull:|-code-sent:/;
    expect(left.filter((key) => !kept.test(key))).to.deep.equal([]);
  });
});
