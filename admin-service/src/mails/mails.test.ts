import { randomUUID } from 'node:crypto';
import type { Mail } from '@platform/shared/platform/mail/mail';
import { createMailCipher } from '@platform/shared/platform/mail/mail-encryption';
import { createMailQueue, MAIL_QUEUE, type MailQueue } from '@platform/shared/platform/mail/mail-queue';
import type { CodeHolder, StoredCode } from '@platform/shared/platform/mail/stored-code';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { listLoadedPackages } from '@platform/shared/testing/process';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { createTestRedis, type TestRedis } from '@platform/shared/testing/test-redis';
import { type Job, Queue, UnrecoverableError, Worker } from 'bullmq';
import { expect } from 'chai';
import {
  CODE_SECRET,
  getIds,
  minutesAgo,
  type RunningAdminService,
  startAdminService,
} from '../../testing/admin-service.ts';

const CODE = '042917';
const cipher = createMailCipher({ current: CODE_SECRET, previous: [] });
const inMinutes = (minutes: number): string => minutesAgo(-minutes).toISOString();

const codeMail = (to: string, expiresAt = inMinutes(15)): Mail => ({
  template: 'verification-code',
  to,
  language: 'en',
  code: CODE,
  expiresAt,
  isDecoy: false,
  userId: null,
});
const formMail = (message: string): Mail => ({
  template: 'support-request',
  to: 'team@example.com',
  request: { email: uniqueEmail(), subject: message, message },
});

describe('mails of the back office', () => {
  let redis: TestRedis;
  let service: RunningAdminService;
  let mails: MailQueue;
  let queue: Queue;
  before('start admin-service with a Redis', async () => {
    redis = await createTestRedis();
    redis.client.setMaxListeners(100);
    service = await startAdminService({ REDIS_URL: redis.url });
    await service.connected();
    mails = createMailQueue(redis.client as never, cipher);
    queue = new Queue(MAIL_QUEUE, { connection: redis.client });
  });
  beforeEach('delete the mails of other tests', async () => {
    await redis.client.flushDb();
    await service.records.query('delete from mail_outbox');
  });
  after('stop both', async () => {
    await queue?.close();
    await mails?.close();
    await service?.stop();
    await redis?.drop();
  });

  const list = (query: Record<string, string | number> = {}) => service.administrator.listMails({ query });
  const retry = (id: string) => service.administrator.retryMail({ id });
  const remove = (id: string) => service.administrator.deleteMail({ id });
  const find = async (id: string) => {
    const { status, body, text } = await list({ perPage: 100 });
    expect(status, text).to.equal(200);
    return body.data.find((mail: { id: string }) => mail.id === id);
  };

  type RowFields = { failure?: string; attempts?: number; createdAt?: Date };
  const addRow = async (mail: Mail, { failure, attempts = 0, createdAt }: RowFields = {}) => {
    const [row] = await service.records.query<{ id: string }>(
      `insert into mail_outbox (mail, request_id, created_at, enqueued_at, failed_at, failure, attempts)
       values ($1, 'request-1', coalesce($2, now()), now(), case when $3::text is not null then now() end, $3, $4) returning id`,
      [mail, createdAt, failure, attempts],
    );
    return row?.id ?? '';
  };
  const isClaimable = async (id: string) =>
    (
      await service.records.query(
        'select id from mail_outbox where id = $1 and enqueued_at is null and failed_at is null and failure is null',
        [id],
      )
    ).length === 1;
  /** Queues the mail of a row, as the worker does. */
  const queueRow = async (mail: Mail, fields?: RowFields) => {
    const id = await addRow(mail, fields);
    await mails.add(id, { mail, requestId: 'request-1', inOutbox: true });
    return id;
  };
  const queueCode = async (storedCode?: StoredCode, mail = codeMail(uniqueEmail())) => {
    const id = randomUUID();
    await mails.add(id, { mail, requestId: 'request-1', inOutbox: false, ...(storedCode && { storedCode }) });
    return id;
  };
  const withWorker = async (work: (job: Job) => Promise<void>, until: 'failed' | 'active') => {
    const worker = new Worker(MAIL_QUEUE, work, { connection: redis.client });
    await new Promise((resolve) => worker.once(until, resolve));
    return worker;
  };
  const failNext = async (error: Error) => {
    const worker = await withWorker(() => Promise.reject(error), 'failed');
    await worker.close();
  };
  const whileSending = async (check: () => Promise<void>) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const worker = await withWorker(() => promise, 'active');
    try {
      await check();
    } finally {
      resolve();
      await worker.close();
    }
  };
  const getState = (id: string) => queue.getJobState(id);

  describe('list', () => {
    it('shows mails of the outbox and of the queue, newest first, without texts, codes and addresses', async () => {
      const to = uniqueEmail();
      const text = uniqueWord();
      const failed = await addRow(formMail(text), {
        failure: 'Rejected: 550 5.1.1 Mailbox unknown',
        attempts: 2,
        createdAt: minutesAgo(3),
      });
      const waiting = await addRow(formMail(text), { createdAt: minutesAgo(2) });
      const code = await queueCode(undefined, codeMail(to));
      const { status, body, text: response } = await list();
      expect(status, response).to.equal(200);
      expect(body).to.include({ total: 3, page: 1, perPage: 10 });
      const shown = body.data.map(({ createdAt, ...mail }: { createdAt: string }) => {
        expect(createdAt).to.equal(new Date(createdAt).toISOString());
        return mail;
      });
      const pending = { service: null, state: 'waiting', attempts: 0, failure: null, nextAttemptAt: null };
      const recipient = to.replace(/^(.).*@/, '$1…@');
      expect(shown).to.deep.equal([
        { ...pending, id: code, mail: 'verification-code', recipient },
        { ...pending, id: waiting, mail: 'support-request', recipient: 't…@example.com' },
        {
          ...pending,
          id: failed,
          mail: 'support-request',
          recipient: 't…@example.com',
          state: 'failed',
          attempts: 2,
          failure: 'Rejected: 550 5.1.1 Mailbox unknown',
        },
      ]);
      for (const hidden of [to, text, CODE, 'team@']) expect(response).not.to.include(hidden);
    });

    it('shows a message of another service with its name and the present address, without its texts', async () => {
      const { id: userId, email } = await service.records.user(['CUSTOMER']);
      const subject = uniqueWord();
      const message = {
        template: 'service-message',
        service: 'projects',
        subject,
        text: subject,
        action: null,
      } as const;
      const id = await addRow(message);
      await service.records.query('update mail_outbox set user_id = $1 where id = $2', [userId, id]);
      const { body, text } = await list();
      expect(body.data[0]).to.include({
        id,
        mail: 'service-message',
        service: 'projects',
        recipient: email.replace(/^(.).*@/, '$1…@'),
      });
      expect(text).not.to.include(subject);
    });

    it('shows the last failure and the next attempt of a mail that is retried', async () => {
      const id = await queueRow(formMail('Help'));
      await failNext(new Error('451 Mailbox full'));
      const mail = await find(id);
      expect(mail).to.include({ state: 'waiting', attempts: 1, failure: '451 Mailbox full' });
      expect(Date.parse(mail.nextAttemptAt)).to.be.within(Date.now() - 1_000, Date.now() + 10_000);
    });

    it('shows a rejected code as failed at once', async () => {
      const id = await queueCode();
      await failNext(new UnrecoverableError('Rejected: 550'));
      const expected = { state: 'failed', attempts: 1, failure: 'Rejected: 550', nextAttemptAt: null };
      expect(await find(id)).to.include(expected);
    });

    it('shows a mail of the outbox as waiting after the attempts of its job, because others follow', async () => {
      const id = await queueRow(formMail('Help'));
      await failNext(new UnrecoverableError('451 Mailbox full'));
      expect(await getState(id)).to.equal('failed');
      expect(await find(id)).to.include({ state: 'waiting', attempts: 1, failure: '451 Mailbox full' });
    });

    it('filters by state and paginates both sources in one order', async () => {
      const failed = [
        await addRow(formMail('1'), { failure: 'Rejected', createdAt: minutesAgo(2) }),
        await addRow(formMail('2'), { failure: 'Rejected', createdAt: minutesAgo(1) }),
        await queueCode(),
      ];
      await failNext(new UnrecoverableError('Rejected: 550'));
      const waiting = [
        await addRow(formMail('3'), { createdAt: minutesAgo(4) }),
        await addRow(formMail('4'), { createdAt: minutesAgo(3) }),
        await queueCode(),
      ];
      for (const [state, ids] of Object.entries({ failed, waiting })) {
        const pages = [await list({ state, perPage: 2 }), await list({ state, perPage: 2, page: 2 })];
        expect(pages.flatMap(getIds), state).to.deep.equal(ids.toReversed());
        for (const { body } of pages) expect(body.total).to.equal(3);
      }
      expect((await list({ page: 9 })).body).to.deep.equal({ data: [], total: 6, page: 9, perPage: 10 });
      for (const [name, value] of Object.entries({ state: 'sent', search: 'x', perPage: 101 }))
        expectError(await list({ [name]: value }), 400, 'VALIDATION_FAILED', `/query/${name}`);
    });

    it('ends at the newest 1,000 mails', async () => {
      await service.records.query(
        `insert into mail_outbox (mail, request_id, created_at)
         select $1, 'request-1', now() - make_interval(secs => n) from generate_series(1, 1000) n`,
        [formMail('Help')],
      );
      expect((await list()).body)
        .to.include({ total: 1_000 })
        .and.not.to.have.property('totalCapped');
      const newest = await queueCode();
      const { body } = await list({ perPage: 1 });
      expect([body.data[0].id, body.total, body.totalCapped]).to.deep.equal([newest, 1_000, true]);
      expect((await list({ perPage: 100, page: 10 })).body.data).to.have.lengthOf(100);
      expect((await list({ perPage: 100, page: 11 })).body.data).to.deep.equal([]);
    });

    it('accepts jobs of another release, and ignores those of mails that are no longer in the outbox', async () => {
      const id = randomUUID();
      await queue.add('newsletter', { sealedMail: 'x', requestId: 'request-1' }, { jobId: id });
      await queue.add('support-request', { inOutbox: true }, { jobId: randomUUID() });
      await queue.add('support-request', { inOutbox: true }, { jobId: 'legacy-1' });
      const { body } = await list();
      expect(body.total).to.equal(1);
      expect(body.data[0]).to.include({ id, mail: 'unknown', recipient: '…', state: 'waiting' });
    });
  });

  describe('retry', () => {
    it('lets the worker queue a failed mail of the outbox again', async () => {
      const id = await queueRow(formMail('Help'));
      await failNext(new UnrecoverableError('Rejected: 550'));
      await service.records.query(
        "update mail_outbox set failed_at = now(), failure = 'Rejected: 550', attempts = 1 where id = $1",
        [id],
      );
      expect((await retry(id)).status).to.equal(204);
      expect(await getState(id)).to.equal('unknown');
      expect(await isClaimable(id)).to.equal(true);
      expect(await find(id)).to.include({ state: 'waiting', attempts: 0, failure: null });
      const [record, ...others] = await service.records.auditOf(id);
      expect(others).to.deep.equal([]);
      expect(record).to.deep.include({
        action: 'MAIL_RETRIED',
        actorId: service.administrator.id,
        targetType: 'MAIL',
        details: { mail: 'support-request' },
      });
    });

    it('ends the delay of a waiting mail, also if it is repeated', async () => {
      const id = await queueRow(formMail('Help'));
      await failNext(new Error('451 Mailbox full'));
      expect(await getState(id)).to.equal('delayed');
      const responses = await Promise.all([retry(id), retry(id), retry(id)]);
      expect(responses.map(({ status }) => status)).to.deep.equal([204, 204, 204]);
      expect(await getState(id)).to.equal('prioritized');
    });

    it('queues a mail again whose attempts have ended', async () => {
      const id = await queueRow(formMail('Help'));
      await failNext(new UnrecoverableError('451 Mailbox full'));
      expect((await retry(id)).status).to.equal(204);
      expect(await isClaimable(id)).to.equal(true);
      expect(await getState(id)).to.equal('unknown');
    });

    it('sends a rejected code again while it is valid', async () => {
      await redis.client.hSet('code-1', 'hash', 'hash-1');
      const { id: userId } = await service.records.user(['CUSTOMER']);
      const id = await queueCode({ key: 'code-1', hash: 'hash-1', holder: { id: userId } });
      await failNext(new UnrecoverableError('Rejected: 550'));
      expect((await retry(id)).status).to.equal(204);
      expect(await getState(id)).to.equal('waiting');
      expect((await queue.getJob(id))?.attemptsMade).to.equal(0);
    });

    it('returns 409 for an invitation that has expired, or whose address has meanwhile an account', async () => {
      const invitation = (expiresAt: string, to = uniqueEmail()): Mail => ({
        template: 'invitation',
        to,
        language: 'en',
        role: 'ADMIN',
        sealedCode: 'x',
        expiresAt,
      });
      const valid = await addRow(invitation(inMinutes(1)), { failure: 'Rejected: 550' });
      const expired = await addRow(invitation(inMinutes(-1)), { failure: 'Rejected: 550' });
      expectError(await retry(expired), 409, 'MAIL_EXPIRED');
      const { email } = await service.records.user(['CUSTOMER'], { isEmailVerified: true });
      const owned = await addRow(invitation(inMinutes(1), email), { failure: 'Rejected: 550' });
      expectError(await retry(owned), 409, 'MAIL_EXPIRED');
      expect((await retry(valid)).status).to.equal(204);
      expect((await remove(expired)).status).to.equal(204);
    });

    const HOLDERS: [change: string, holder: Omit<CodeHolder, 'id'>, text: string][] = [
      [
        'a new password or other factors',
        { factorVersion: 0 },
        'update users set factor_version = 1 where id = $1',
      ],
      [
        'a proof of the address',
        { isEmailVerified: false },
        'update users set is_email_verified = true where id = $1',
      ],
      ['the deletion of the account', {}, 'select delete_account($1)'],
    ];

    for (const [change, holder, text] of HOLDERS)
      it(`returns 409 for a code that is still stored, after ${change}`, async () => {
        const { id: userId } = await service.records.user(['CUSTOMER']);
        await redis.client.hSet('code-1', 'hash', 'hash-1');
        const code = { key: 'code-1', hash: 'hash-1', holder: { id: userId, ...holder } };
        const id = await queueCode(code);
        expect((await retry(id)).status).to.equal(204);
        await service.records.query(text, [userId]);
        expectError(await retry(id), 409, 'MAIL_EXPIRED');
      });

    for (const [change, text] of [
      ['the deletion of the account', 'select delete_account($1)'],
      ['a change of its address', "update users set email = 'other-' || email where id = $1"],
    ] as const)
      it(`returns 409 for a code to reset a password that is still stored, after ${change}`, async () => {
        const { id: userId, email } = await service.records.user(['CUSTOMER']);
        await redis.client.hSet('code-1', 'hash', 'hash-1');
        const mail = { ...codeMail(email), template: 'reset-password-code' } as Mail;
        // It names no holder, so that the queue does not tell whether there is an account.
        const id = await queueCode({ key: 'code-1', hash: 'hash-1' }, mail);
        expect((await retry(id)).status).to.equal(204);
        await service.records.query(text, [userId]);
        expectError(await retry(id), 409, 'MAIL_EXPIRED');
      });

    it('returns 409 for a code that was replaced or used, and for an expired one', async () => {
      await redis.client.hSet('code-1', 'hash', 'hash-2');
      const replaced = await queueCode({ key: 'code-1', hash: 'hash-1' });
      const used = await queueCode({ key: 'code-2', hash: 'hash-1' });
      const expired = await queueCode(undefined, codeMail(uniqueEmail(), inMinutes(-1)));
      for (const id of [replaced, used, expired]) {
        expectError(await retry(id), 409, 'MAIL_EXPIRED');
        expect(await service.records.auditOf(id)).to.deep.equal([]);
      }
    });
  });

  describe('deletion', () => {
    it('removes a mail from the outbox and from the queue', async () => {
      const [queued, failed] = [
        await queueRow(formMail('Help')),
        await addRow(formMail('1'), { failure: 'Rejected' }),
      ];
      const code = await queueCode();
      for (const id of [queued, failed, code]) {
        expect((await remove(id)).status).to.equal(204);
        expect(await getState(id)).to.equal('unknown');
        const [record] = await service.records.auditOf(id);
        expect(record).to.include({ action: 'MAIL_DELETED', targetType: 'MAIL' });
        expectError(await remove(id), 404, 'MAIL_NOT_FOUND');
      }
      expect((await list()).body.total).to.equal(0);
      expect(await service.records.query('select id from mail_outbox')).to.deep.equal([]);
    });

    it('records whose mail it was, of the outbox and of the queue', async () => {
      const { records, administrator } = service;
      const { id: userId } = await records.user(['CUSTOMER'], { firstName: 'Ada', lastName: 'Lovelace' });
      const row = await addRow(formMail('1'), { failure: 'Rejected' });
      await records.query('update mail_outbox set user_id = $1 where id = $2', [userId, row]);
      const code = await queueCode({ key: 'code-1', hash: 'hash-1', holder: { id: userId } });
      const stranger = await queueCode();
      const user = { id: userId, name: 'Ada Lovelace' };
      for (const [id, expected] of [
        [row, user],
        [code, user],
        [stranger, null],
      ] as const) {
        expect((await remove(id)).status).to.equal(204);
        const { body } = await administrator.listAuditLog({ query: { targetId: id } });
        expect(body.data[0].user).to.deep.equal(expected);
      }
    });

    it('succeeds for one of concurrent requests', async () => {
      for (let round = 0; round < 10; round += 1) {
        const id = await queueRow(formMail('Help'));
        const responses = await Promise.all([remove(id), remove(id), retry(id)]);
        const statuses = responses.map(({ status }) => status);
        expect(statuses.slice(0, 2).sort(), statuses.join()).to.deep.equal([204, 404]);
        expect(statuses[2]).to.be.oneOf([204, 404]);
      }
    });
  });

  it('changes neither a mail nor the audit log while the mail is being sent', async () => {
    for (const add of [() => queueRow(formMail('Help')), () => queueCode()]) {
      const id = await add();
      await whileSending(async () => {
        expectError(await retry(id), 409, 'MAIL_BEING_SENT');
        expectError(await remove(id), 409, 'MAIL_BEING_SENT');
        expect(await find(id)).to.include({ state: 'waiting', nextAttemptAt: null });
      });
      expect(await service.records.auditOf(id)).to.deep.equal([]);
    }
  });

  it('returns 404 for an unknown mail and for the job of a mail that was sent', async () => {
    const sent = await queueRow(formMail('Help'));
    await service.records.query('delete from mail_outbox');
    for (const id of [randomUUID(), sent])
      for (const change of [retry, remove]) expectError(await change(id), 404, 'MAIL_NOT_FOUND');
    expectError(await retry('none'), 400, 'VALIDATION_FAILED', '/params/id');
  });
});

describe('mails of the back office without Redis', () => {
  it('do not load its packages before the first request', async () => {
    const needed = ['bullmq', '@redis/client'];
    expect(await listLoadedPackages('admin-service/src/mails/mail-queue-adapter.ts')).to.include.members(
      needed,
    );
    expect(await listLoadedPackages('admin-service/src/compose.ts')).not.to.include.oneOf(needed);
  });

  for (const [when, environment] of Object.entries({
    'REDIS_URL is not set': {},
    'Redis is unavailable': { REDIS_URL: 'redis://127.0.0.1:1' },
  }))
    it(`return 503 when ${when}, while other routes work`, async () => {
      const service = await startAdminService(environment);
      try {
        const { administrator } = service;
        expectError(await administrator.listMails({ query: {} }), 503, 'SERVICE_UNAVAILABLE');
        expectError(await administrator.retryMail({ id: randomUUID() }), 503, 'SERVICE_UNAVAILABLE');
        expectError(await administrator.deleteMail({ id: randomUUID() }), 503, 'SERVICE_UNAVAILABLE');
        expect((await administrator.administratorWorkspaceMe()).status).to.equal(200);
      } finally {
        await service.stop();
      }
    });
});
