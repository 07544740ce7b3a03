import { isStored } from '@platform/shared/platform/mail/stored-code';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  attemptFromNetworks,
  type CodeFixture,
  getAttackerAddress,
  getOtherCode,
  getWrongCodes,
  PURPOSES,
  times,
} from '../../testing/mailed-codes.ts';

/** A code has five tries from one network, and twenty in all. */
const CASES = [
  { own: 4, others: 0, isAccepted: true },
  { own: 5, others: 0, isAccepted: false },
  { own: 0, others: 19, isAccepted: true },
  { own: 0, others: 20, isAccepted: false },
  { own: 4, others: 15, isAccepted: true },
  { own: 4, others: 16, isAccepted: false },
];

for (const { name, success, begin } of PURPOSES)
  describe(`guessing of a code ${name}`, () => {
    const service = useAuthService();

    const withCode = () => begin(service().as('customer'), service());
    const attemptWrongCodes = async ({ code, attempt }: CodeFixture, count: number) => {
      for (const wrong of getWrongCodes(code, count)) expectError(await attempt(wrong), 400, 'CODE_INVALID');
    };

    for (const { own, others, isAccepted } of CASES)
      it(`${isAccepted ? 'accepts' : 'rejects'} the correct code after ${own} wrong ones from its network and ${others} from others`, async () => {
        const fixture = await withCode();
        await attemptWrongCodes(fixture, own);
        await attemptFromNetworks(fixture, others);
        const { status } = await fixture.attempt(fixture.code);
        expect(status).to.equal(isAccepted ? success : 400);
      });

    it('rejects the correct code after five wrong attempts, repeatedly', async () => {
      const fixture = await withCode();
      await attemptWrongCodes(fixture, 5);
      expectError(await fixture.attempt(fixture.code), 400, 'CODE_INVALID');
      expectError(await fixture.attempt(fixture.code), 400, 'CODE_INVALID');
    });

    it('allows five attempts again for the next code', async () => {
      const fixture = await withCode();
      await attemptWrongCodes(fixture, 6);
      const code = await fixture.resend();
      await attemptWrongCodes({ ...fixture, code }, 4);
      expect((await fixture.attempt(code)).status).to.equal(success);
    });

    it('accepts one of fifty concurrent requests with the correct code', async () => {
      const { code, attempt } = await withCode();
      const statuses = (await Promise.all(times(50, () => attempt(code)))).map(({ status }) => status);
      expect(statuses.filter((status) => status === success).length).to.equal(1);
      // A late request returns 409 because the e-mail is already verified.
      expect(statuses.filter((status) => ![success, 400, 409].includes(status))).to.deep.equal([]);
    });

    it('rejects fifty concurrent wrong codes, and the correct one afterwards', async () => {
      const fixture = await withCode();
      const responses = await Promise.all(
        getWrongCodes(fixture.code, 50).map((wrong) => fixture.attempt(wrong)),
      );
      for (const response of responses) expectError(response, 400, 'CODE_INVALID');
      expectError(await fixture.attempt(fixture.code), 400, 'CODE_INVALID');
    });

    it('accepts the correct code after five wrong ones from another client network', async () => {
      const fixture = await withCode();
      for (const wrong of getWrongCodes(fixture.code, 6))
        expectError(await fixture.attempt(wrong, getAttackerAddress(0)), 400, 'CODE_INVALID');
      expectError(await fixture.attempt(fixture.code, getAttackerAddress(0)), 400, 'CODE_INVALID');
      expect((await fixture.attempt(fixture.code)).status).to.equal(success);
    });

    it('deletes the code after the twentieth wrong one, so that its mail is not sent again', async () => {
      const { redis, mails } = service();
      const fixture = await withCode();
      const storedCode = await mails.storedCodeFor(fixture.email);
      await attemptFromNetworks(fixture, 19);
      expect(await isStored(redis.client, storedCode)).to.equal(true);
      expectError(await fixture.attempt(getOtherCode(fixture.code)), 400, 'CODE_INVALID');
      expect(await isStored(redis.client, storedCode)).to.equal(false);
    });

    it('does not count attempts that the limit per client network rejects', async () => {
      const fixture = await withCode();
      await Promise.all(
        getWrongCodes(fixture.code, 40).map((wrong) => fixture.attempt(wrong, '203.0.113.9')),
      );
      await attemptFromNetworks(fixture, 14);
      expect((await fixture.attempt(fixture.code)).status).to.equal(success);
    });

    it('counts the addresses of an IPv6 /64 as one client network', async () => {
      const fixture = await withCode();
      const addressOf = (index: number) => `2001:db8:0:7::${index + 1}`;
      for (const [index, wrong] of getWrongCodes(fixture.code, 5).entries())
        expectError(await fixture.attempt(wrong, addressOf(index)), 400, 'CODE_INVALID');
      expectError(await fixture.attempt(fixture.code, addressOf(5)), 400, 'CODE_INVALID');
      expect((await fixture.attempt(fixture.code, '2001:db8:0:8::1')).status).to.equal(success);
    });
  });
