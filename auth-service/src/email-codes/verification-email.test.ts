import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { getOtherCode } from '../../testing/mailed-codes.ts';

const malformedCodes: [string, unknown][] = [
  ['five digits', '12345'],
  ['seven digits', '1234567'],
  ['a letter among the digits', '12345a'],
  ['a line break after the digits', '123456\n'],
  ['digits of another script', '١٢٣٤٥٦'],
  ['a number of seven digits', 1234567],
  ['a negative number', -12345],
  ['a number with a fraction', 12345.5],
  ['missing', undefined],
  ['null', null],
  ['a list', ['123456']],
];

describe('e-mail verification', () => {
  const service = useAuthService({ ACCOUNT_RETURN_ORIGINS: 'https://shop.example.com' });
  const client = () => service().as('customer');
  const withCode = async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    return { account, device, code: await service().mails.codeFor(account.email) };
  };

  it('queues one mail with six digits that expire after fifteen minutes', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const { status, body } = await client().verificationEmailCode(device);
    expect({ status, body }).to.deep.equal({ status: 200, body: { expiresIn: 900, resendIn: 120 } });

    const [mail, ...others] = await service().mails.queuedFor(account.email);
    expect(others).to.deep.equal([]);
    if (mail?.template !== 'verification-code') throw new Error('No verification mail was queued');
    expect(Date.parse(mail.expiresAt) - Date.now()).to.be.within(840_000, 900_000);
    expect(await service().mails.codeFor(account.email)).to.match(/^\d{6}$/);
  });

  it('mails where to return to, if its origin is listed and it has at most 2,048 characters', async () => {
    const longest = `https://shop.example.com/${'x'.repeat(2_023)}`;
    for (const [returnTo, mailed] of [
      ['https://shop.example.com/basket?a=1&b=2#c', 'https://shop.example.com/basket?a=1&b=2#c'],
      ['https:\\\\shop.example.com/a b', 'https://shop.example.com/a%20b'],
      [longest, longest],
      [`${longest}x`, null],
      ['https://shop.example.com.evil.example/', null],
      ['https://shop.example.com@evil.example/', null],
      ['https://evil@shop.example.com/', null],
      ['blob:https://shop.example.com/basket', null],
      ['http://shop.example.com/', null],
      ['javascript:alert(1)//https://shop.example.com/', null],
      ['/account/customer/', null],
      ['', null],
    ] as const) {
      const { account, device } = await client().createAccountAndDevice();
      const response = await client().verificationEmailCode({ ...device, query: { returnTo } });
      expect(response.status, response.text).to.equal(200);
      const [mail] = await service().mails.queuedFor(account.email);
      expect(mail, returnTo).to.include({ returnTo: mailed });
    }
  });

  it('verifies the e-mail with the correct code, visible in all responses', async () => {
    const { device, code } = await withCode();
    const { status, body } = await client().verificationEmailCodeCheck({ ...device, body: { code } });
    expect({ status, body }).to.deep.equal({ status: 200, body: { verified: true } });
    expect((await client().verificationEmailCheck(device)).body).to.deep.equal({ verified: true });
    expect((await client().me(device)).body.user.isEmailVerified).to.equal(true);
  });

  it('rejects a second code request at once, and the first code stays valid', async () => {
    const { account, device, code } = await withCode();
    const response = await client().verificationEmailCode(device);
    expectError(response, 429, 'RESEND_LOCKED');
    expect(Number(response.headers['retry-after'])).to.be.within(115, 120);
    const mails = await service().mails.queuedFor(account.email);
    expect(mails.length).to.equal(1);
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
  });

  it('ends the resend lock after two minutes in spite of rejected requests', async () => {
    const { device } = await withCode();
    await service().redis.passTime(110);
    for (let round = 0; round < 3; round += 1) {
      const response = await client().verificationEmailCode(device);
      expectError(response, 429, 'RESEND_LOCKED');
      expect(Number(response.headers['retry-after'])).to.be.within(1, 10);
    }
    await service().redis.passTime(10);
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
  });

  it('rejects any code when none was sent', async () => {
    const { device } = await client().createAccountAndDevice();
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: '000000' } }),
      400,
      'CODE_INVALID',
    );
  });

  it('accepts the code within fifteen minutes', async () => {
    const { device, code } = await withCode();
    await service().redis.passTime(890);
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
  });

  it('rejects the code after fifteen minutes, after any earlier attempts', async () => {
    const { device, code } = await withCode();
    await service().redis.passTime(890);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: getOtherCode(code) } }),
      400,
      'CODE_INVALID',
    );
    await service().redis.passTime(10);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code } }),
      400,
      'CODE_INVALID',
    );
  });

  it('returns 409 when the e-mail is verified, with or without a resend lock', async () => {
    const { device, code } = await withCode();
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
    for (const seconds of [0, 120]) {
      await service().redis.passTime(seconds);
      expectError(await client().verificationEmailCode(device), 409, 'EMAIL_ALREADY_VERIFIED');
      expectError(
        await client().verificationEmailCodeCheck({ ...device, body: { code } }),
        409,
        'EMAIL_ALREADY_VERIFIED',
      );
    }
  });

  it('accepts the code as a number, which has lost its leading zeros', async () => {
    const { account, device } = await client().createAccountAndDevice();
    let code = '';
    // One in ten codes starts with a zero.
    while (!code.startsWith('0')) {
      await service().redis.passTime(3_600);
      expect((await client().verificationEmailCode(device)).status).to.equal(200);
      code = await service().mails.codeFor(account.email);
    }
    expect(
      (await client().verificationEmailCodeCheck({ ...device, body: { code: Number(code) } })).status,
    ).to.equal(200);
  });

  it('accepts the code with characters that nobody sees', async () => {
    const { device, code } = await withCode();
    const pasted = `\u200b${code.slice(0, 3)}\u2060${code.slice(3)}\ufeff`;
    const response = await client().verificationEmailCodeCheck({ ...device, body: { code: pasted } });
    expect(response.status, response.text).to.equal(200);
  });

  for (const [name, code] of malformedCodes)
    it(`returns 400 with the field when the code is ${name}`, async () => {
      const { device } = await client().createAccountAndDevice();
      expectError(
        await client().verificationEmailCodeCheck({ ...device, body: { code } }),
        400,
        'VALIDATION_FAILED',
        '/body/code',
      );
    });

  it('does not count malformed codes as attempts', async () => {
    const { device, code: right } = await withCode();
    for (const code of ['12345', '1234567', 'abcdef', null, '', 7.5])
      expectError(
        await client().verificationEmailCodeCheck({ ...device, body: { code } }),
        400,
        'VALIDATION_FAILED',
        '/body/code',
      );
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code: right } })).status).to.equal(
      200,
    );
  });

  it('rejects the code of another user, which stays valid', async () => {
    const [one, other] = [await withCode(), await withCode()];
    if (one.code !== other.code)
      expectError(
        await client().verificationEmailCodeCheck({ ...other.device, body: { code: one.code } }),
        400,
        'CODE_INVALID',
      );
    expect(
      (await client().verificationEmailCodeCheck({ ...one.device, body: { code: one.code } })).status,
    ).to.equal(200);
    expect((await client().verificationEmailCheck(other.device)).body).to.deep.equal({ verified: false });
  });
});
