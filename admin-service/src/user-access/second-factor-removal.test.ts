import { randomUUID } from 'node:crypto';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { countDeadlocks, countSessions, queryDatabase } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { addSecondFactor, countFactors } from '@platform/shared/testing/second-factors';
import { expect } from 'chai';
import { ACCESS_SECRET, useAdminService } from '../../testing/admin-service.ts';

const NONE = { totp: 0, passkeys: 0, recoveryCodes: 0 };
const ALL = { totp: 1, passkeys: 1, recoveryCodes: 2 };

/** Locks the user, then the session and the old tokens, in the same order as a sign-in. */
const OPEN_SESSION = `
  with account as (select id from users where id = $1 and factor_version = $2 for no key update),
  tokens as (
    insert into token_records (user_id, access_token_id, access_token_expired_at, refresh_token_id, refresh_token_expired_at)
    select id, $4, now() + interval '1 hour', $5, now() + interval '2 hours' from account returning id
  ),
  removed as (
    delete from token_records t using sessions s where t.id = s.token_id and s.user_id = $1 and s.fingerprint = $3
  )
  insert into sessions (user_id, token_id, fingerprint, ip) select a.id, t.id, $3, '127.0.0.1' from account a, tokens t
  on conflict (user_id, fingerprint) do update set token_id = excluded.token_id returning id`;

describe('removal of a second factor', () => {
  const service = useAdminService();
  const administrator = () => service().administrator;
  const records = () => service().records;
  const remove = (id: string, headers: Record<string, string> = {}) =>
    administrator().removeSecondFactor({ id, headers });
  const openSession = (userId: string, device: string, version: number) =>
    queryDatabase<{ id: string }>(service().databaseUrl, OPEN_SESSION, [
      userId,
      version,
      device,
      randomUUID(),
      randomUUID(),
    ]);
  /** The user has two signed-in devices. */
  const createSecuredUser = async (language: 'en' | 'de' = 'en') => {
    const user = await records().user(['CUSTOMER'], { language });
    await addSecondFactor(records(), user.id);
    const [first] = await openSession(user.id, 'first', 1);
    await openSession(user.id, 'second', 1);
    return { ...user, sessionId: first?.id ?? '' };
  };
  const mailsTo = (email: string) =>
    records().query<{ mail: object; requestId: string }>(
      `select mail, request_id as "requestId" from mail_outbox where mail->>'to' = $1`,
      [email],
    );
  const countTokens = async (id: string) => (await countSessions(service().databaseUrl, id)).tokenRecords;
  const actionsOn = async (id: string) => (await records().auditOf(id)).map(({ action }) => action);

  it('removes all factors, ends all sessions and leaves the devices known', async () => {
    const { id } = await createSecuredUser();
    const other = await createSecuredUser();
    expect((await remove(id)).status).to.equal(204);
    expect(await countFactors(records(), id)).to.deep.equal({ ...NONE, version: 2 });
    expect(await countSessions(service().databaseUrl, id)).to.deep.equal({ sessions: 2, tokenRecords: 0 });
    expect(await countFactors(records(), other.id)).to.deep.equal({ ...ALL, version: 1 });
    expect(await countTokens(other.id)).to.equal(2);
  });

  it('ends the sessions of another ADMIN at once', async () => {
    const caller = await service().as('ADMIN', ['password', 'totp']);
    const { id } = caller;
    await addSecondFactor(records(), id);
    expect((await caller.currentAdministrator()).status).to.equal(200);
    expect((await remove(id)).status).to.equal(204);
    expectError(await caller.currentAdministrator(), 401, 'TOKEN_INVALID');
  });

  it("mails the owner in the owner's language, and records who did it", async () => {
    const german = await createSecuredUser('de');
    const english = await createSecuredUser();
    const { headers } = await remove(german.id, { 'Accept-Language': 'en' });
    await remove(english.id, { 'Accept-Language': 'de' });
    const [{ mail, requestId } = { mail: {}, requestId: '' }, ...others] = await mailsTo(german.email);
    expect(others).to.deep.equal([]);
    expect(requestId).to.equal(headers['x-request-id']);
    expect(mail).to.include({
      template: 'second-factor-changed',
      language: 'de',
      change: 'reset-by-administrator',
    });
    expect((await mailsTo(english.email))[0]?.mail).to.include({ language: 'en' });
    const [record] = await records().auditOf(german.id);
    expect(record).to.deep.include({
      action: 'SECOND_FACTOR_RESET',
      actorId: administrator().id,
      targetType: 'USER',
      requestId,
    });
  });

  it('does nothing to a user without a factor', async () => {
    const { id, email } = await records().user(['CUSTOMER']);
    await openSession(id, 'first', 0);
    await records().query("insert into totp_factors (user_id, sealed_secret) values ($1, 'pending')", [id]);
    expect((await remove(id)).status).to.equal(204);
    expect(await countFactors(records(), id)).to.deep.equal({ ...NONE, totp: 1, version: 0 });
    expect(await countTokens(id)).to.equal(1);
    expect([await actionsOn(id), await mailsTo(email)]).to.deep.equal([[], []]);
  });

  for (const table of ['totp_factors', 'passkeys'])
    it(`removes the only factor, in ${table}`, async () => {
      const { id } = await createSecuredUser();
      await records().query(`delete from ${table} where user_id = $1`, [id]);
      expect((await remove(id)).status).to.equal(204);
      expect(await countFactors(records(), id)).to.deep.equal({ ...NONE, version: 2 });
    });

  it('returns 403 for the account of the caller, in any spelling of the id, and changes nothing', async () => {
    const caller = await service().as('ADMIN', ['password', 'totp']);
    const { id } = caller;
    await addSecondFactor(records(), id);
    for (const path of [id, id.toUpperCase()])
      expectError(await caller.removeSecondFactor({ id: path }), 403, 'OWN_SECOND_FACTOR');
    expect(await countFactors(records(), id)).to.deep.equal({ ...ALL, version: 1 });
    expect(await actionsOn(id)).to.deep.equal([]);
  });

  it('returns 404 for an unknown and for a deleted user', async () => {
    expectError(await remove(randomUUID()), 404, 'USER_NOT_FOUND');
    const { id } = await createSecuredUser();
    await records().deleteAccount(id);
    expectError(await remove(id), 404, 'USER_NOT_FOUND');
    expectError(await remove('unknown'), 400, 'VALIDATION_FAILED', '/params/id');
  });

  it('allows only an ADMIN, who still has the role', async () => {
    const { id } = await createSecuredUser();
    const path = `/users/${id}/second-factor`;
    for (const role of ['OPERATOR', 'ARBITER'] as const)
      expectError(await (await service().as(role)).send('DELETE', path), 403, 'WORKSPACE_FORBIDDEN');
    const demoted = await service().as('ADMIN');
    await records().removeRoles(demoted.id);
    expectError(await demoted.send('DELETE', path), 403, 'PLATFORM_ROLE_INVALID');
    const claimed = await records().user(['ADMIN']);
    const token = await records().registeredToken(claimed.id, { secret: ACCESS_SECRET });
    expectError(await service().withToken(token).send('DELETE', path), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await service().withToken().send('DELETE', path), 401, 'TOKEN_INVALID');
    expect(await countFactors(records(), id)).to.deep.equal({ ...ALL, version: 1 });
  });

  it('happens once when it is requested several times at once', async () => {
    const { id, email } = await createSecuredUser();
    const responses = await Promise.all(Array.from({ length: 5 }, () => remove(id)));
    expect(responses.map(({ status }) => status)).to.deep.equal([204, 204, 204, 204, 204]);
    expect(await actionsOn(id)).to.deep.equal(['SECOND_FACTOR_RESET']);
    expect(await mailsTo(email)).to.have.lengthOf(1);
    expect((await countFactors(records(), id)).version).to.equal(2);
  });

  it('returns 404 when the account is deleted while the removal waits', async () => {
    const { id, email } = await createSecuredUser();
    const deletion = await holdLock(service().databaseUrl, `select delete_account('${id}')`);
    const removal = remove(id);
    await deletion.commitWhenWaiting(1);
    expectError(await removal, 404, 'USER_NOT_FOUND');
    expect(await mailsTo(email)).to.deep.equal([]);
  });

  describe('at the same time as', () => {
    const rotate = (id: string) =>
      records().query(
        `update token_records t set refresh_token_id = $2 from sessions s
         where s.token_id = t.id and s.user_id = $1 and s.fingerprint = 'first'`,
        [id, randomUUID()],
      );
    const CHANGES: [string, (id: string) => Promise<unknown>][] = [
      ['a sign-in', (id) => openSession(id, 'first', 1)],
      ['a refresh', rotate],
      ['a deletion of the account', (id) => lockAndDelete(id)],
    ];
    /** The account is locked first, as in auth-service. */
    const lockAndDelete = async (id: string) => {
      await queryDatabase(
        service().databaseUrl,
        `do $$ begin
           perform 1 from users where id = '${id}' for no key update;
           perform delete_account('${id}');
         end $$`,
      );
    };

    for (const [name, change] of CHANGES)
      for (const order of ['first', 'second'] as const)
        it(`${name} that comes ${order} leaves no tokens and causes no deadlock`, async () => {
          const { databaseUrl } = service();
          const { id, sessionId } = await createSecuredUser();
          const before = await countDeadlocks(databaseUrl);
          // While another transaction locks the session, both requests wait in the middle of their changes.
          const lock = await holdLock(
            databaseUrl,
            'with s as (select token_id from sessions where id = $1 for update) select 1 from token_records t join s on t.id = s.token_id for update of t',
            [sessionId],
          );
          const started: Promise<unknown>[] = [];
          const start = [() => started.push(remove(id)), () => started.push(change(id))];
          for (const [index, begin] of (order === 'first' ? start.reverse() : start).entries()) {
            begin();
            await lock.untilWaiting(index + 1);
          }
          await lock.release();
          await Promise.all(started);
          expect(await countDeadlocks(databaseUrl)).to.equal(before);
          expect(await countTokens(id)).to.equal(0);
          expect(await countFactors(records(), id)).to.include(NONE);
        });
  });
});
