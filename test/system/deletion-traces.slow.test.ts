import {
  type AccountKind,
  type AuthClient,
  bearer,
  CUSTOMER,
  EMPLOYEE,
} from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail, uniqueFingerprint, WRONG_PASSWORD } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { poll, waitFor } from '@platform/shared/testing/poll';
import { dumpDatabase } from '@platform/shared/testing/query-database';
import { uniqueWord } from '@platform/shared/testing/records';
import { send } from '@platform/shared/testing/responses';
import { dumpRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { createClient } from 'redis';
import { usePlatformWithMails } from './use-platform.ts';

const DELIVERY_SECONDS = 60;

/** Unusual texts, so that each occurrence belongs to this user. */
const createPerson = () => ({
  email: uniqueEmail(),
  firstName: uniqueWord(),
  lastName: uniqueWord(),
  phone: `+1 555 ${Math.random().toString().slice(2, 12)}`,
  newEmail: uniqueEmail(),
  message: uniqueWord(),
  userAgent: uniqueWord(),
  note: uniqueWord(),
});
type Person = ReturnType<typeof createPerson>;

type Traces = {
  client: AuthClient;
  userId: string;
  device: Device;
  recoveryCode: string | undefined;
};

describe('deletion of an account', () => {
  const platform = usePlatformWithMails();

  const dumpStack = async (): Promise<[place: string, text: string][]> => {
    const { databaseUrl, redisUrl } = platform().stack;
    const redis = await createClient({ url: redisUrl }).connect();
    const keys = Object.entries(await dumpRedis(redis));
    redis.destroy();
    const rows = await dumpDatabase(databaseUrl);
    return [
      ...rows.map(({ table, row }): [string, string] => [`table ${table}`, row]),
      ...keys.map(([key, value]): [string, string] => [`Redis key ${key}`, `${key} ${value}`]),
    ];
  };
  /** Returns texts such as `e-mail in table users`. */
  const findTraces = async (person: Person): Promise<string[]> => {
    const texts = Object.entries(person).map(([name, text]) => [name, text.toLowerCase()] as const);
    const found = (await dumpStack()).flatMap(([place, text]) =>
      texts
        .filter(([, searched]) => text.toLowerCase().includes(searched))
        .map(([name]) => `${name} in ${place}`),
    );
    return [...new Set(found)].sort();
  };
  const sendForms = async ({ email, firstName, phone, message }: Person): Promise<void> => {
    const forms = {
      lead: { name: firstName, email, phone, message },
      support: { email: email.toUpperCase(), subject: message, message, name: firstName },
    };
    for (const [form, body] of Object.entries(forms))
      await send(platform().stack.gatewayUrl, 'POST', `/api/v1/contact/${form}`, { body });
  };

  /** Signs up, and leaves traces everywhere while no mail can be sent. */
  const createTraces = async (kind: AccountKind, person: Person) => {
    const { as, records, smtp } = platform();
    const client = as(kind);
    const { email, firstName, lastName, phone, newEmail } = person;
    const account = await client.createAccount({ email, firstName, lastName, phone });
    const headers = { 'User-Agent': person.userAgent };
    const body = { email, password: PASSWORD };
    const signedIn = await client.signIn({ fingerprint: uniqueFingerprint(), body, headers });
    const device = client.toDevice(signedIn);
    const { id: authorId } = await records.user(['ADMIN']);
    await records.query('insert into user_notes (user_id, author_id, text) values ($1, $2, $3)', [
      account.userId,
      authorId,
      person.note,
    ]);
    // The provider rejects this mail permanently.
    smtp.refuse(email, { at: 'recipient', code: 550, times: 1 });
    expect((await client.verificationEmailCode(device)).status).to.equal(200);
    await waitFor('the mail is refused', () => smtp.attemptsFor(email).length === 1, DELIVERY_SECONDS);
    await smtp.goDown();
    await records.verifyEmail(account.userId);
    await sendForms(person);
    await records.query('update support_requests set done_at = now(), done_by = $1', [authorId]);
    await records.query(
      `insert into invitations (email, role, language, code_hash, invited_by, expires_at)
       values ($1, 'ADMIN', 'en', $2, $3, now() + interval '1 day')`,
      [email, uniqueWord(), authorId],
    );
    expect((await client.resetPasswordEmailCodeSend({ body: { email } })).status).to.equal(200);
    const change = { newEmail, currentPassword: PASSWORD };
    expect((await client.emailChange({ ...device, body: change })).status).to.equal(200);
    const { recoveryCodes } = await client.enableTotp(device);
    for (let count = 0; count < 4; count += 1)
      await client.signIn({ fingerprint: uniqueFingerprint(), body: { email, password: WRONG_PASSWORD } });
    await records.project({ ownerId: account.userId });
    return { client, userId: account.userId, device, recoveryCode: recoveryCodes[0] };
  };

  const deleteOwn = ({ client, device, recoveryCode }: Traces): Promise<HttpResponse> =>
    client.accountDelete({ ...device, body: { currentPassword: PASSWORD, recoveryCode } });
  const deleteByAdministrator = async ({ userId }: Traces): Promise<HttpResponse> => {
    const administrator = platform().as('administrator');
    const device = await administrator.openDevice(await platform().records.user(['ADMIN']));
    return await send(platform().stack.gatewayUrl, 'DELETE', `/api/v1/users/${userId}`, {
      headers: bearer(device),
    });
  };

  for (const [whose, kind, remove] of [
    ['of a customer', CUSTOMER, deleteOwn],
    ['of an employee', EMPLOYEE, deleteOwn],
    ['of a customer by an ADMIN', CUSTOMER, deleteByAdministrator],
  ] as const)
    it(`${whose} leaves no trace of the user in Postgres and in Redis`, async () => {
      const person = createPerson();
      const traces = await createTraces(kind, person);
      const before = (await findTraces(person)).join('\n');
      for (const table of ['users', 'lead_requests', 'support_requests', 'invitations'])
        expect(before).to.include(`email in table ${table}`);
      const jobs = (await dumpStack()).filter(([place]) => /^Redis key bull:mail:[\w-]{36}$/.test(place));
      expect(jobs, 'waiting mails, and the refused one').to.have.length.above(1);
      expect(before).to.include('message in table support_requests');
      expect(before).to.include('note in table user_notes').and.include('userAgent in table token_records');
      expect(before, 'addresses in clear, while mails and the change of e-mail wait').not.to.include('Redis');
      expect(before).to.match(/(?:firstName|lastName|phone) in table \w+_profiles/);

      const deleted = await remove(traces);
      expect(deleted.status, deleted.text).to.equal(204);
      const waiting = `select mail->>'template' as template from mail_outbox where mail->>'to' = $1`;
      expect(await platform().records.query(waiting, [person.email])).to.deep.equal([
        { template: 'account-deleted' },
      ]);
      await platform().smtp.comeBack();
      const isDelivered = () =>
        platform()
          .smtp.mails()
          .some(({ to, subject }) => to.includes(person.email) && subject.includes('was deleted'));
      await waitFor('the notice is delivered', isDelivered, DELIVERY_SECONDS);
      const isClean = async () => (await findTraces(person)).length === 0;
      await poll(isClean, { timeoutSeconds: DELIVERY_SECONDS });
      expect(await findTraces(person)).to.deep.equal([]);
    });
});
