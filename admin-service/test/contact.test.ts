import type { Mail } from '@platform/shared/mail/mail';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from './admin-service.ts';

type Form = Record<string, string>;
const FORMS = [
  {
    path: '/contact/lead',
    table: 'lead_requests',
    template: 'lead-request',
    complete: { name: 'Ada', phone: '+44 20', company: 'Engines', message: 'A shop, please.' },
    least: { name: 'Ada' },
    lengths: { name: 120, phone: 32, company: 160, message: 4_000 },
  },
  {
    path: '/contact/support',
    table: 'support_requests',
    template: 'support-request',
    complete: { subject: 'Sign-in', message: 'It fails.', name: 'Ada' },
    least: { subject: 'Sign-in', message: 'It fails.' },
    lengths: { subject: 200, message: 4_000, name: 120 },
  },
] as const;

const HOSTILE: Form = {
  name: '<script>alert(1)</script>\r\nBcc: everyone@example.com',
  message: '<img src=x onerror=alert(1)>\n\nSubject: other',
  subject: 'Hello\r\nTo: everyone@example.com\r\n\r\n<b>body</b>',
  company: '"><svg onload=alert(1)>',
  phone: "' or 1=1 --",
};

for (const { path, table, template, complete, least, lengths } of FORMS)
  describe(`The form ${path}`, () => {
    const service = useAdminService({ CONTACT_INBOX: 'inbox@example.com' });
    const submit = (form: object | string | undefined, headers = {}) =>
      service().api().post(path, form, headers);
    const storedFor = (email: string) =>
      service().records.query(`select * from ${table} where email = $1`, [email]);
    const mailsFor = async (email: string) =>
      (
        await service().records.query<{ mail: Mail; request_id: string }>(
          `select mail, request_id from mail_outbox where mail -> 'request' ->> 'email' = $1`,
          [email],
        )
      ).map((row) => ({ mail: row.mail, requestId: row.request_id }));

    it('When it is filled in completely, then 204 without a body; it is stored, and a mail waits for the inbox', async () => {
      const form = { ...complete, email: uniqueEmail() };
      const { status, text, headers } = await submit(form, { 'X-Request-Id': 'contact-1' });
      expect({ status, text }).to.deep.equal({ status: 204, text: '' });
      const [stored, ...others] = await storedFor(form.email);
      expect(others).to.deep.equal([]);
      expect(stored).to.include(form);
      expect(stored?.['address']).to.equal('127.0.0.1');
      expect(await mailsFor(form.email)).to.deep.equal([
        { mail: { template, to: 'inbox@example.com', request: form }, requestId: headers['x-request-id'] },
      ]);
      expect(headers['x-request-id']).to.equal('contact-1');
    });

    it('When only what is required is filled in, then the rest is stored as absent', async () => {
      const form = { ...least, email: uniqueEmail() };
      expect((await submit(form)).status).to.equal(204);
      const [stored] = await storedFor(form.email);
      for (const field of Object.keys(complete))
        expect(stored?.[field]).to.equal(Object.entries(form).find(([name]) => name === field)?.[1] ?? null);
      expect(Object.keys((await mailsFor(form.email))[0]?.mail ?? {})).to.have.members([
        'template',
        'to',
        'request',
      ]);
    });

    it('When no token is sent, or any, then it makes no difference', async () => {
      for (const authorization of [undefined, 'Bearer garbage', 'Basic x']) {
        const form = { ...least, email: uniqueEmail() };
        expect((await submit(form, { Authorization: authorization })).status).to.equal(204);
      }
    });

    it('When a required field is missing, then 400 that names it, and nothing is stored', async () => {
      const email = uniqueEmail();
      for (const field of [...Object.keys(least), 'email']) {
        const form = Object.fromEntries(
          Object.entries({ ...complete, email }).filter(([name]) => name !== field),
        );
        expectError(await submit(form), 400, 'VALIDATION_FAILED', `/body/${field}`);
      }
      expect(await storedFor(email)).to.deep.equal([]);
    });

    for (const [field, longest] of Object.entries(lengths)) {
      it(`When ${field} has 1 to ${longest} characters, then it is taken; when none or more, then 400`, async () => {
        for (const value of ['x', 'x'.repeat(longest), '🚀'.repeat(longest)]) {
          const form = { ...complete, email: uniqueEmail(), [field]: value };
          expect((await submit(form)).status).to.equal(204);
          expect((await storedFor(form.email))[0]?.[field]).to.equal(value);
        }
        for (const value of ['', 'x'.repeat(longest + 1), '🚀'.repeat(longest + 1)]) {
          const answer = await submit({ ...complete, email: uniqueEmail(), [field]: value });
          expectError(answer, 400, 'VALIDATION_FAILED', `/body/${field}`);
        }
      });

      it(`When ${field} is null, a list or an object, or holds NUL, then 400`, async () => {
        for (const value of [null, [], ['x'], {}, 'a\0b']) {
          const answer = await submit({ ...complete, email: uniqueEmail(), [field]: value });
          expect(answer.body.details[0].path).to.match(new RegExp(`^/body/${field}`));
          expectError(answer, 400, 'VALIDATION_FAILED');
        }
      });
    }

    it('When the e-mail is none, then 400', async () => {
      const tooLong = `${'x'.repeat(64)}@${`${'y'.repeat(60)}.`.repeat(4)}example.com`;
      for (const email of [
        '',
        'ada',
        'ada@',
        '@example.com',
        'a b@example.com',
        'a@b.c\r\nBcc: x@y.z',
        tooLong,
        null,
      ])
        expectError(await submit({ ...complete, email }), 400, 'VALIDATION_FAILED', '/body/email');
    });

    it('When a field is not declared, then 400 that names it', async () => {
      for (const field of ['to', 'html', 'template', 'address', 'id', 'createdAt']) {
        const answer = await submit({ ...complete, email: uniqueEmail(), [field]: 'x' });
        expectError(answer, 400, 'VALIDATION_FAILED', `/body/${field}`);
      }
      expectError(await service().api().post(`${path}?to=x`, complete), 400, 'VALIDATION_FAILED');
    });

    it('When there is no body, or none that is an object, then 400; when it is not JSON, then 415', async () => {
      expectError(await submit(undefined), 400, 'VALIDATION_FAILED');
      expectError(await submit({}), 400, 'VALIDATION_FAILED');
      for (const body of ['null', '[]', '"x"', '{'])
        expectError(await submit(body, { 'Content-Type': 'application/json' }), 400, 'VALIDATION_FAILED');
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      expectError(await submit('name=Ada', form), 415, 'UNSUPPORTED_MEDIA_TYPE');
    });

    it('When hostile text is submitted, then it is stored and handed on as the text that it is', async () => {
      const hostile = Object.entries(HOSTILE).filter(([field]) => field in complete);
      const form: Form = { ...complete, ...Object.fromEntries(hostile), email: uniqueEmail() };
      if (form['phone']) form['phone'] = form['phone'].slice(0, 32);
      expect((await submit(form)).status).to.equal(204);
      expect((await storedFor(form['email'] ?? ''))[0]).to.include(form);
      expect((await mailsFor(form['email'] ?? ''))[0]?.mail).to.deep.include({
        to: 'inbox@example.com',
        request: form,
      });
    });

    it('When the mail cannot be written, then nothing is stored, and the answer says that it failed', async () => {
      const email = `${uniqueWord()}@example.com`;
      const { query } = service().records;
      await query(
        `create function refuse() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
      );
      await query(
        'create trigger refusal before insert on mail_outbox for each row execute function refuse()',
      );
      try {
        expectError(await submit({ ...complete, email }), 500, 'INTERNAL_ERROR');
        expect(await storedFor(email)).to.deep.equal([]);
      } finally {
        await query('drop function refuse cascade');
      }
      expect((await submit({ ...complete, email })).status).to.equal(204);
    });
  });
