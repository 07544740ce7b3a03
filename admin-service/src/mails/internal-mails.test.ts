import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import type { UserRecord } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import {
  basicAuth,
  createServiceClient,
  SERVICE,
  SERVICE_ENVIRONMENT,
} from '@platform/shared/testing/service-client';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Body = Record<string, unknown>;
type OutboxRow = { id: string; mail: object };

const OTHER = { name: 'payments', secret: 'payments-secret-of-the-tests-000000000009' };
const ENVIRONMENT = {
  ...SERVICE_ENVIRONMENT,
  SERVICES: `${SERVICE.name},${OTHER.name}`,
  SERVICE_PAYMENTS_SECRET: OTHER.secret,
  SERVICE_PAYMENTS_SCOPES: 'mails:send',
  PUBLIC_URL: 'https://example.com',
  ACCOUNT_RETURN_ORIGINS: 'https://shop.example.com',
  RATE_LIMIT_SCALE: '10000',
};
const ACTION = { label: 'See the bid', url: 'https://shop.example.com/bids/1' };
const MAIL = { subject: 'A team has made a bid', text: 'Studio North has made a bid.', action: ACTION };

describe('mails of other services', () => {
  const service = useAdminService(ENVIRONMENT);
  const createUser = (fields: object = {}): Promise<UserRecord> =>
    service().records.user(['CUSTOMER'], { isEmailVerified: true, ...fields });
  const put = (id: string, userId: string, body: Body = {}) =>
    createServiceClient(service().url).putMail({ id, body: { userId, ...MAIL, ...body } });
  const putAsOther = (id: string, userId: string) =>
    send(service().url, 'PUT', `/internal/v1/mails/${id}`, {
      headers: { Authorization: basicAuth(OTHER.name, OTHER.secret) },
      body: { userId, ...MAIL },
    });
  const create = async (userId: string, body?: Body): Promise<string> => {
    const id = randomUUID();
    const { status, text } = await put(id, userId, body);
    expect(status, text).to.equal(202);
    return id;
  };
  const readOutbox = (userId: string): Promise<OutboxRow[]> =>
    service().records.query<OutboxRow>('select id, mail from mail_outbox where user_id = $1', [userId]);
  /** Moves the mails of the user to the sent ones, as the worker does. */
  const markSent = async (userId: string): Promise<void> => {
    await service().records.query(
      `with sent as (delete from mail_outbox where user_id = $1 returning id)
       insert into sent_mails (id, user_id, mail, service, recipient, state)
       select id, $1, 'service-message', $2, 'a@example.com', 'sent' from sent`,
      [userId, SERVICE.name],
    );
  };
  const age = async (userId: string, minutes: number): Promise<void> => {
    const text =
      'update service_mails set created_at = created_at - make_interval(mins => $2) where user_id = $1';
    await service().records.query(text, [userId, minutes]);
  };

  it('wait in the outbox without an address, and return 202', async () => {
    const [{ id: userId }, id] = [await createUser(), randomUUID()];
    const { status, body } = await put(id, userId);
    expect([status, body]).to.deep.equal([202, { id, state: 'waiting', createdAt: body.createdAt }]);
    expect(Date.parse(body.createdAt)).to.be.closeTo(Date.now(), 10_000);
    const [row, ...others] = await readOutbox(userId);
    expect(others).to.deep.equal([]);
    expect(row?.mail).to.deep.equal({ template: 'service-message', service: SERVICE.name, ...MAIL });
  });

  it('are created once by the same body, with white space, composition and case of ids ignored', async () => {
    const [{ id: userId }, id] = [await createUser(), randomUUID()];
    const first = await put(id, userId, { text: 'Café' });
    for (const body of [
      { text: 'Café' },
      { text: '\n Cafe\u0301  ' },
      { text: 'Café', subject: ` ${MAIL.subject} ` },
      { text: 'Café', userId: userId.toUpperCase() },
      { text: 'Café', action: { url: ` ${ACTION.url}`, label: `${ACTION.label} ` } },
    ]) {
      const { status, body: again } = await put(id.toUpperCase(), userId, body);
      expect([status, again]).to.deep.equal([202, first.body]);
    }
    expect(await readOutbox(userId)).to.have.lengthOf(1);
  });

  it('treat an absent link as null', async () => {
    const { id: userId } = await createUser();
    const id = await create(userId, { action: undefined });
    expect((await put(id, userId, { action: null })).status).to.equal(202);
    expectError(await put(id, userId), 409, 'MAIL_EXISTS');
  });

  it('return 409 for another body of the service, but ids of different services are unrelated', async () => {
    const [{ id: userId }, { id: otherUserId }] = [await createUser(), await createUser()];
    const id = await create(userId);
    const changes: Body[] = [
      { subject: 'Another' },
      { text: 'Another' },
      { action: null },
      { action: { ...ACTION, label: 'Another' } },
      { action: { ...ACTION, url: `${ACTION.url}0` } },
      { userId: otherUserId },
    ];
    for (const body of changes) expectError(await put(id, userId, body), 409, 'MAIL_EXISTS');
    expect((await putAsOther(id, userId)).status).to.equal(202);
    expect(await readOutbox(userId)).to.have.lengthOf(2);
    expect(await readOutbox(otherUserId)).to.deep.equal([]);
  });

  it('are sent once by concurrent equal requests, and by one of concurrent requests for different users', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [id, one, other] = [randomUUID(), await createUser(), await createUser()];
      const equal = await Promise.all(Array.from({ length: 6 }, () => put(id, one.id)));
      expect(equal.map(({ status }) => status)).to.deep.equal(Array(6).fill(202));
      expect(await readOutbox(one.id)).to.have.lengthOf(1);
      const shared = randomUUID();
      const responses = await Promise.all([put(shared, one.id), put(shared, other.id)]);
      expect(responses.map(({ status }) => status).sort()).to.deep.equal([202, 409]);
      expect([...(await readOutbox(one.id)), ...(await readOutbox(other.id))]).to.have.lengthOf(2);
    }
  });

  it('show whether they were sent, failed, or were deleted by an ADMIN', async () => {
    const { id: userId } = await createUser();
    const id = await create(userId);
    const stateOf = async () => (await put(id, userId)).body.state;
    await service().records.query(
      "update mail_outbox set failed_at = now(), failure = 'Rejected' where user_id = $1",
      [userId],
    );
    expect(await stateOf()).to.equal('failed');
    await service().records.query('update mail_outbox set failed_at = null where user_id = $1', [userId]);
    expect(await stateOf()).to.equal('waiting');
    await markSent(userId);
    expect(await stateOf()).to.equal('sent');
    expect(await readOutbox(userId)).to.deep.equal([]);
    const deleted = await create(userId);
    await service().records.query('delete from mail_outbox where user_id = $1', [userId]);
    expect((await put(deleted, userId)).body.state).to.equal('failed');
  });

  it('return 404 for a user who is unknown or deleted, also if the mail was accepted before', async () => {
    const { id: userId } = await createUser();
    const id = await create(userId);
    await markSent(userId);
    await service().records.deleteAccount(userId);
    for (const nobody of [userId, randomUUID(), '00000000-0000-0000-0000-000000000000'])
      expectError(await put(id, nobody), 404, 'USER_NOT_FOUND');
    expect(
      await service().records.query('select 1 from service_mails where user_id = $1', [userId]),
    ).to.deep.equal([]);
  });

  it('return 404 for a user who is being deleted', async () => {
    const { id: userId } = await createUser();
    const deletion = await holdLock(service().databaseUrl, 'select delete_account($1)', [userId]);
    const response = put(randomUUID(), userId);
    await deletion.commitWhenWaiting(1);
    expectError(await response, 404, 'USER_NOT_FOUND');
    expect(await readOutbox(userId)).to.deep.equal([]);
  });

  it('return 403 while the address is not verified, but 202 for a mail that exists', async () => {
    const { id: userId } = await createUser({ isEmailVerified: false });
    expectError(await put(randomUUID(), userId), 403, 'EMAIL_NOT_VERIFIED');
    await service().records.verifyEmail(userId);
    const id = await create(userId);
    await service().records.query('update users set is_email_verified = false where id = $1', [userId]);
    expect((await put(id, userId)).status).to.equal(202);
    expectError(await put(id, userId, { text: 'Another' }), 409, 'MAIL_EXISTS');
  });

  it('reach blocked users and holders of a platform role', async () => {
    for (const fields of [{ isBlocked: true }, {}]) await create((await createUser(fields)).id);
    await create((await service().records.user(['ADMIN'], { isEmailVerified: true })).id);
  });

  describe('limit of twenty an hour for a user and service', () => {
    const fill = async (userId: string, count = 20): Promise<string> => {
      let id = '';
      for (let index = 0; index < count; index += 1) id = await create(userId);
      return id;
    };

    it('counts only new mails, and slides', async () => {
      const { id: userId } = await createUser();
      await fill(userId, 10);
      await age(userId, 40);
      const last = await fill(userId, 10);
      const limited = await put(randomUUID(), userId);
      expectError(limited, 429, 'RATE_LIMITED');
      expect(Number(limited.headers['retry-after'])).to.be.within(19 * 60, 20 * 60);
      expect((await put(last, userId)).status).to.equal(202);
      expectError(await put(last, userId, { text: 'Another' }), 409, 'MAIL_EXISTS');
      await age(userId, 21);
      await fill(userId, 10);
      expectError(await put(randomUUID(), userId), 429, 'RATE_LIMITED');
    });

    it('does not affect other users and other services, and comes after an unverified address', async () => {
      const { id: userId } = await createUser();
      await fill(userId);
      await markSent(userId);
      expectError(await put(randomUUID(), userId), 429, 'RATE_LIMITED');
      await create((await createUser()).id);
      expect((await putAsOther(randomUUID(), userId)).status).to.equal(202);
      await service().records.query('update users set is_email_verified = false where id = $1', [userId]);
      expectError(await put(randomUUID(), userId), 403, 'EMAIL_NOT_VERIFIED');
    });

    it('holds for concurrent requests', async () => {
      const { id: userId } = await createUser();
      await fill(userId, 15);
      const responses = await Promise.all(Array.from({ length: 12 }, () => put(randomUUID(), userId)));
      const accepted = responses.filter(({ status }) => status === 202);
      expect(accepted).to.have.lengthOf(5);
      expect(await readOutbox(userId)).to.have.lengthOf(20);
    });
  });

  it('return 400 for a body that breaks the contract', async () => {
    const { id: userId } = await createUser();
    const invalid: [path: string, body: Body][] = [
      ['userId', { userId: 'me' }],
      ['subject', { subject: undefined }],
      ['subject', { subject: '  ' }],
      ['subject', { subject: 'x'.repeat(201) }],
      ['subject', { subject: 'Bid\r\nBcc: eve@example.com' }],
      ['subject', { subject: 'Bid\u202e' }],
      ['text', { text: '\n' }],
      ['text', { text: 'x'.repeat(4_001) }],
      ['text', { text: 'Bid\u2066' }],
      ['action/label', { action: { ...ACTION, label: 'x'.repeat(61) } }],
      ['action/label', { action: { ...ACTION, label: 'See\nthe bid' } }],
      ['action/url', { action: { label: 'See' } }],
      ['action/url', { action: { ...ACTION, url: 'https://shop.example.com/\u0007' } }],
      ['action/url', { action: { ...ACTION, url: 'https://shop.example.com/\tbids' } }],
      ['action/url', { action: { ...ACTION, url: 'https://evil.example/bids' } }],
      ['action/other', { action: { ...ACTION, other: 1 } }],
      ['html', { html: '<b>' }],
    ];
    for (const [path, body] of invalid)
      expectError(await put(randomUUID(), userId, body), 400, 'VALIDATION_FAILED', `/body/${path}`);
    for (const id of ['abc', '00000000-0000-0000-0000-000000000000', 'FFFFFFFF-ffff-ffff-ffff-ffffffffffff'])
      expectError(await put(id, userId), 400, 'VALIDATION_FAILED', '/params/id');
    const longest = {
      subject: '🚀'.repeat(200),
      text: '🚀'.repeat(4_000),
      action: { ...ACTION, label: '🚀'.repeat(60) },
    };
    await create(userId, longest);
  });

  it('are counted by service when they are new', async () => {
    const count = async () =>
      /service_mails_total\{[^}]*caller="projects"[^}]*\} (\d+)/.exec(await service().metrics())?.[1];
    const before = Number(await count());
    const { id: userId } = await createUser();
    const id = await create(userId);
    await put(id, userId);
    expectError(await put(id, userId, { text: 'Another' }), 409, 'MAIL_EXISTS');
    expect(Number(await count())).to.equal(before + 1);
  });
});
