import { createHash } from 'node:crypto';
import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { otherThan, useCodeService } from './code-service.ts';

const QUEUE = /^bull:/;
const HASHES = ['md5', 'sha1', 'sha256', 'sha512'].flatMap((algorithm) =>
  (['hex', 'base64', 'base64url'] as const).map((encoding) => ({ algorithm, encoding })),
);

const LIFETIMES: [RegExp, number][] = [
  [/^(customer|employee):(verification|reset-password)-code:\{/, 900],
  [/^(customer|employee):(verification|reset-password)-code-resend-lock:\{/, 120],
  [/^(verification|reset-password)-code-sent:\{/, 86_400],
  [/^wrong-codes:\{/, 86_400],
];

/** The digits as a word of their own: a time in milliseconds may hold them by chance. */
const asWord = (code: string): RegExp => new RegExp(`(?<![0-9])${code}(?![0-9])`);

describe('What Redis holds of a code', () => {
  const service = useCodeService();

  for (const kind of ACCOUNT_KINDS)
    describe(`for one of the ${kind.plural}`, () => {
      const client = () => service().client(kind);

      /** Both codes are out, one was tried wrongly, and somebody asked for an unknown e-mail. */
      const leaveTraces = async () => {
        const account = await client().createAccount();
        const unknown = uniqueEmail();
        const device = await client().openDevice(account);
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        const verification = await service().codeFor(account.email);
        expect((await client().sendResetCode({ email: account.email })).status).to.equal(200);
        const reset = await service().codeFor(account.email);
        expect((await client().sendResetCode({ email: unknown })).status).to.equal(200);
        await client().verifyEmail(device, { code: otherThan(verification) });
        return { ...account, unknown, codes: [verification, reset] };
      };
      const contents = async () =>
        Object.entries(await service().redis.dump()).map(([key, value]) => ({
          key,
          text: `${key} ${value}`,
        }));

      it('is neither its digits nor a hash that can be made without the key', async () => {
        const { codes } = await leaveTraces();
        for (const { text } of await contents())
          for (const code of codes) {
            expect(text).not.to.match(asWord(code));
            for (const { algorithm, encoding } of HASHES)
              expect(text).not.to.include(createHash(algorithm).update(code).digest(encoding));
          }
      });

      it('does not name its owner, but for the queue, which must know where to send it', async () => {
        const { email, unknown, userId } = await leaveTraces();
        for (const { key, text } of await contents()) {
          expect(text).not.to.include(unknown);
          if (!QUEUE.test(key)) expect(text).not.to.include(email).and.not.to.include(userId);
        }
      });

      it('expires: codes, resend locks, times of sent codes and times of wrong codes', async () => {
        const before = new Set(Object.keys(await service().redis.dump()));
        await leaveTraces();
        const keys = Object.keys(await service().redis.dump()).filter(
          (key) => !before.has(key) && !QUEUE.test(key),
        );
        const found: string[] = [];
        for (const key of keys) {
          const [name, seconds] = LIFETIMES.find(([pattern]) => pattern.test(key)) ?? [];
          expect(await service().redis.client.ttl(key), key).to.be.within((seconds ?? 0) - 10, seconds ?? 0);
          found.push(String(name));
        }
        const [code, lock, sent, wrong] = LIFETIMES.map(([pattern]) => String(pattern));
        expect(found).to.have.members([code, code, code, lock, lock, lock, sent, sent, sent, wrong]);
      });

      it('is gone once the code was used, but for the lock and the time of its mail', async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        const before = new Set(Object.keys(await service().redis.dump()));
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        const code = await service().codeFor(account.email);
        expect((await client().verifyEmail(device, { code })).status).to.equal(200);
        const left = Object.keys(await service().redis.dump()).filter((key) => !before.has(key));
        const kept = /^bull:|-resend-lock:|-code-sent:/;
        expect(left.filter((key) => !kept.test(key))).to.deep.equal([]);
      });

      it('names a job by what it is, never by the code or the address', async () => {
        const { email, codes } = await leaveTraces();
        for (const { key } of await contents()) {
          expect(key).not.to.include(email);
          for (const code of codes) expect(key).not.to.match(asWord(code));
        }
      });
    });
});
