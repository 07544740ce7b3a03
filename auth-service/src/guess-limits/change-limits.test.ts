import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { lockUser } from '@platform/shared/testing/hold-lock';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { useRecords } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { createSoftwareAuthenticator } from '@platform/shared/testing/software-authenticator';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';
import { times } from '../../testing/mailed-codes.ts';

const CHANGES_PER_HOUR = 10;

describe('limit of changes of an account', () => {
  const service = useAuthService();
  const records = useRecords(() => service().databaseUrl);

  const client = () => service().as('customer');
  const begin = async () => {
    const account = await service().as('customer').createVerifiedAccount();
    return { account, device: await client().openDevice(account) };
  };
  /**
   * Inserts records as if the user had made this many changes 50 minutes ago, with each of the actions in
   * turn.
   */
  const addChanges = (userId: string, count: number, actions: readonly string[]) =>
    records.query(
      `insert into audit_records (action, actor_id, target_type, target_id, request_id, address, created_at)
       select ($3::text[])[1 + n % cardinality($3)], $1::uuid, 'USER', $1::text, 'r', 'a', now() - interval '50 minutes'
       from generate_series(1, $2::int) n`,
      [userId, count, actions],
    );
  const countChanges = async (userId: string, actions: readonly string[]): Promise<number> =>
    (await records.auditOf(userId)).filter(({ action }) => actions.includes(action)).length;

  /** The passwords of accounts that were changed, by access token. */
  const passwords = new Map<string, string>();
  const passwordOf = ({ accessToken }: Device): string => passwords.get(accessToken) ?? PASSWORD;

  const preparePasskey = async (device: Device): Promise<() => Promise<HttpResponse>> => {
    const confirmation = { currentPassword: passwordOf(device) };
    const { body } = await client().passkeyOptions({ ...device, body: confirmation });
    const attestation = createSoftwareAuthenticator().create({
      ...body,
      excludeCredentials: [],
    });
    return () => client().passkeyCreate({ ...device, body: { response: attestation, name: 'My phone' } });
  };
  const prepareEmail = async (device: Device): Promise<() => Promise<HttpResponse>> => {
    await service().redis.passTime(120);
    const own = client();
    const code = await own.requestEmailChangeCode(device, uniqueEmail(), passwordOf(device));
    return () => own.emailChangeCheck({ ...device, body: { code } });
  };
  const preparePassword = async (device: Device): Promise<() => Promise<HttpResponse>> => {
    const currentPassword = passwordOf(device);
    const body = { currentPassword, newPassword: `${currentPassword}!` };
    return async () => {
      const response = await client().resetPasswordMe({ ...device, body });
      if (response.status === 204) passwords.set(device.accessToken, body.newPassword);
      return response;
    };
  };
  /** With `isOnce`, each change needs its own preparation. */
  const CHANGES: { name: string; actions: string[]; prepare: typeof preparePasskey; isOnce: boolean }[] = [
    { name: 'the password', actions: ['PASSWORD_CHANGED'], prepare: preparePassword, isOnce: false },
    { name: 'the e-mail', actions: ['EMAIL_CHANGED'], prepare: prepareEmail, isOnce: false },
    {
      name: 'the second factors',
      actions: [
        'TOTP_ENABLED',
        'TOTP_DISABLED',
        'PASSKEY_ADDED',
        'PASSKEY_REMOVED',
        'RECOVERY_CODES_REPLACED',
      ],
      prepare: preparePasskey,
      isOnce: true,
    },
  ];

  for (const { name, actions, prepare, isOnce } of CHANGES)
    describe(`of ${name}`, () => {
      it('returns 429 after ten in an hour, and does not affect other changes', async () => {
        const { account, device } = await begin();
        await addChanges(account.userId, CHANGES_PER_HOUR, actions);
        const rejected = await (await prepare(device))();
        expectError(rejected, 429, 'RATE_LIMITED');
        expect(Number(rejected.headers['retry-after'])).to.be.within(500, 600);
        expect(await countChanges(account.userId, actions)).to.equal(CHANGES_PER_HOUR);
        for (const other of CHANGES.filter((each) => each.name !== name)) {
          const { status, text } = await (await other.prepare(device))();
          expect(status, text).to.be.below(300);
        }
        await records.query(
          `update audit_records set created_at = created_at - interval '10 minutes' where target_id = $1`,
          [account.userId],
        );
        const accepted = await (await prepare(device))();
        expect(accepted.status, accepted.text).to.be.below(300);
      });

      it('allows one of ten concurrent changes after nine', async () => {
        const { account, device } = await begin();
        await addChanges(account.userId, CHANGES_PER_HOUR - 1, actions);
        const first = await prepare(device);
        const changes = isOnce ? [first] : times(CHANGES_PER_HOUR, () => first);
        while (changes.length < CHANGES_PER_HOUR) changes.push(await prepare(device));
        const lock = await lockUser(service().databaseUrl, account.userId);
        const responses = changes.map((change) => change());
        await lock.releaseWhenWaiting(isOnce ? 5 : 1);
        const statuses = (await Promise.all(responses)).map(({ status }) => status);
        expect(statuses.filter((status) => status < 300)).to.have.length(1);
        expect(await countChanges(account.userId, actions)).to.equal(CHANGES_PER_HOUR);
      });
    });

  it('does not affect a reset of the password by code', async () => {
    const { account } = await begin();
    const { email, userId } = account;
    await addChanges(userId, CHANGES_PER_HOUR, ['PASSWORD_CHANGED']);
    const reset = {
      email,
      code: await service().as('customer').requestResetCode(email),
      newPassword: 'A better horse 2',
    };
    expect((await client().resetPasswordEmailCode({ body: reset })).status).to.equal(204);
  });
});
