import { ADMINISTRATOR, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { queryDatabase } from '@platform/shared/testing/query-database';
import { createRecords } from '@platform/shared/testing/records';
import { expectError, observable } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import {
  attemptFromNetworks,
  type CodeFixture,
  getAttackerAddress,
  RESET,
  times,
} from '../../testing/mailed-codes.ts';
import { WRONG_CODE } from '../../testing/second-factor.ts';
import { expectThrottled, range } from '../../testing/sign-in-attempts.ts';

const NEW_PASSWORD = 'A better horse 2';

describe('pause of the e-mail codes of an account', () => {
  const service = useAuthService();
  const client = () => service().as('customer');
  /** Sets the number of wrong codes of all accounts that have any. */
  const setCodeFailures = () =>
    queryDatabase(service().databaseUrl, "update failed_guesses set failures = 99 where secret = 'code'");
  const resetOf =
    (email: string, kind = CUSTOMER): CodeFixture['attempt'] =>
    (code, address) =>
      service()
        .as(kind)
        .resetPasswordEmailCode({
          body: { email, code, newPassword: NEW_PASSWORD },
          headers: { 'X-Forwarded-For': address },
        });

  it('begins after a hundred wrong codes of all purposes and kinds together', async () => {
    const records = createRecords(service().databaseUrl);
    const account = await records.user(['CUSTOMER', 'ADMIN']).finally(() => records.close());
    const { email } = account;
    const device = await client().openDevice(account);
    const own = client();
    const attempts: CodeFixture['attempt'][] = [
      resetOf(email),
      resetOf(email, ADMINISTRATOR),
      (code, address) =>
        client().verificationEmailCodeCheck({
          ...device,
          body: { code },
          headers: { 'X-Forwarded-For': address },
        }),
      (code, address) =>
        own.emailChangeCheck({ ...device, body: { code }, headers: { 'X-Forwarded-For': address } }),
    ];
    for (const count of [20, 5]) {
      await service().redis.passTime(120);
      const sent = [
        await client().resetPasswordEmailCodeSend({ body: { email } }),
        await service().as('administrator').resetPasswordEmailCodeSend({ body: { email } }),
        await client().verificationEmailCode(device),
        await own.emailChange({ ...device, body: { newEmail: uniqueEmail(), ...CONFIRMATION } }),
      ];
      for (const { status, text } of sent) expect(status, text).to.equal(200);
      for (const attempt of attempts)
        for (const response of await attemptFromNetworks({ code: WRONG_CODE, attempt }, count))
          expectError(response, 400, 'CODE_INVALID');
    }
    for (const attempt of attempts) expectThrottled(await attempt(WRONG_CODE, getAttackerAddress(5)));
  });

  it('begins after one of twenty concurrent attempts when 99 were wrong', async () => {
    const fixture = await RESET.begin(client(), service());
    await attemptFromNetworks(fixture, 1);
    await setCodeFailures();
    const responses = await attemptFromNetworks(fixture, 20);
    const codes = responses.map(({ body }) => body.code).sort();
    expect(codes).to.deep.equal(['CODE_INVALID', ...Array(19).fill('RATE_LIMITED')]);
  });

  it('exempts no device from the pause of a code that proves an address not yet verified', async () => {
    const { account, device } = await client().createAccountAndDevice();
    const own = client();
    const { email } = account;
    const reset = (code: string) =>
      client().resetPasswordEmailCode({
        body: { email, code, newPassword: NEW_PASSWORD },
        headers: { 'X-Fingerprint': device.fingerprint },
      });
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    expect(
      (await own.emailChange({ ...device, body: { newEmail: uniqueEmail(), ...CONFIRMATION } })).status,
    ).to.equal(200);
    const attempts = [
      (code: string) => client().verificationEmailCodeCheck({ ...device, body: { code } }),
      reset,
      (code: string) => own.emailChangeCheck({ ...device, body: { code } }),
    ];
    for (const attempt of attempts) expectError(await attempt(WRONG_CODE), 400, 'CODE_INVALID');
    await setCodeFailures();
    expectError(await reset(WRONG_CODE), 400, 'CODE_INVALID');
    for (const attempt of attempts) expectThrottled(await attempt(WRONG_CODE));
    await service().records.verifyEmail(account.userId);
    expectError(await reset(WRONG_CODE), 400, 'CODE_INVALID');
    expectThrottled(await own.emailChangeCheck({ ...device, body: { code: WRONG_CODE } }));
  });

  it('does not pass from an account that has proved the e-mail to its next owner', async () => {
    const { redis, databaseUrl } = service();
    const former = await client().createAccount();
    const { email } = former;
    await service().records.verifyEmail(former.userId);
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    expectError(await resetOf(email)(WRONG_CODE, getAttackerAddress(1)), 400, 'CODE_INVALID');
    await setCodeFailures();
    expectError(await resetOf(email)(WRONG_CODE, getAttackerAddress(2)), 400, 'CODE_INVALID');
    expectThrottled(await resetOf(email)(WRONG_CODE, getAttackerAddress(3)));
    await queryDatabase(databaseUrl, 'update users set email = $2 where id = $1', [
      former.userId,
      uniqueEmail(),
    ]);
    await client().createAccount({ email });
    await redis.passTime(120);
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    const response = await resetOf(email)(await service().mails.codeFor(email), getAttackerAddress(4));
    expect(response.status, response.text).to.equal(204);
  });

  it('goes on when an account that has not proved the e-mail is deleted and signed up again', async () => {
    const { account, device } = await client().createAccountAndDevice();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    expectError(
      await client().verificationEmailCodeCheck({ ...device, body: { code: WRONG_CODE } }),
      400,
      'CODE_INVALID',
    );
    await setCodeFailures();
    expect((await client().accountDelete({ ...device, body: CONFIRMATION })).status).to.equal(204);
    const again = await client().openDevice(await client().createAccount({ email: account.email }));
    await service().redis.passTime(120);
    expect((await client().verificationEmailCode(again)).status).to.equal(200);
    expectError(
      await client().verificationEmailCodeCheck({ ...again, body: { code: WRONG_CODE } }),
      400,
      'CODE_INVALID',
    );
    expectThrottled(await client().verificationEmailCodeCheck({ ...again, body: { code: WRONG_CODE } }));
    expectThrottled(await resetOf(account.email)(WRONG_CODE, getAttackerAddress(1)));
  });

  it('continues if another account requests the e-mail, and if a code for another e-mail succeeds', async () => {
    const newEmail = uniqueEmail();
    const own = client();
    const guess = async (device: Device) => {
      await service().redis.passTime(120);
      expect((await own.emailChange({ ...device, body: { newEmail, ...CONFIRMATION } })).status).to.equal(
        200,
      );
      return await own.emailChangeCheck({ ...device, body: { code: WRONG_CODE } });
    };
    const { account, device } = await client().createAccountAndDevice();
    expectError(await guess(device), 400, 'CODE_INVALID');
    await setCodeFailures();
    expect((await client().verificationEmailCode(device)).status).to.equal(200);
    const code = await service().mails.codeFor(account.email);
    expect((await client().verificationEmailCodeCheck({ ...device, body: { code } })).status).to.equal(200);
    expectError(await guess(device), 400, 'CODE_INVALID');
    expectThrottled(await guess(device));
    expectThrottled(await guess((await client().createAccountAndDevice()).device));
  });

  it('does not count attempts without a code, or rejected by another limit', async () => {
    const { email } = await client().createAccount();
    const attempt = resetOf(email);
    const attemptMany = () =>
      Promise.all(times(120, (index) => attempt(WRONG_CODE, getAttackerAddress(index))));
    for (const response of await attemptMany()) expectError(response, 400, 'CODE_INVALID');
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    for (const response of await attemptMany()) expectError(response, 400, 'CODE_INVALID');
    await service().redis.passTime(120);
    expect((await client().resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    expect((await attempt(await service().mails.codeFor(email))).status).to.equal(204);
  });

  it('begins for an unknown e-mail too, without a notification', async () => {
    const getResponses = async (email: string) => {
      const responses: HttpResponse[] = [];
      for (const _ of range(6)) {
        responses.push(await client().resetPasswordEmailCodeSend({ body: { email } }));
        responses.push(...(await attemptFromNetworks({ code: WRONG_CODE, attempt: resetOf(email) }, 20)));
        await service().redis.passTime(120);
      }
      return responses;
    };
    const known = await getResponses((await client().createAccount()).email);
    const unknownEmail = uniqueEmail();
    const unknown = await getResponses(unknownEmail);
    expect(known.filter(({ status }) => status === 429).length).to.equal(20);
    expect(unknown.map(observable)).to.deep.equal(known.map(observable));
    const waits = [known, unknown].map((responses) => Number(responses.at(-1)?.headers['retry-after']));
    expect(waits[1]).to.be.closeTo(waits[0] ?? 0, 60);
    expect(await service().mails.outboxFor(unknownEmail)).to.deep.equal([]);
  });
});
