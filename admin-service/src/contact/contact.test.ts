import type { Mail } from '@platform/shared/platform/mail/mail';
import { uniqueEmail } from '@platform/shared/testing/builders';
import { withFailing } from '@platform/shared/testing/query-database';
import { uniqueWord } from '@platform/shared/testing/records';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAdminService } from '../../testing/admin-service.ts';

type Form = Record<string, string>;
const FORMS = [
  {
    path: '/contact/lead',
    table: 'lead_requests',
    template: 'lead-request',
    complete: { name: 'Ada', phone: '+44 20', company: 'Engines', message: 'A shop, please.' },
    required: { name: 'Ada' },
    lengths: { name: 120, phone: 32, company: 160, message: 4_000 },
  },
  {
    path: '/contact/support',
    table: 'support_requests',
    template: 'support-request',
    complete: { subject: 'Sign-in', message: 'It fails.', name: 'Ada' },
    required: { subject: 'Sign-in', message: 'It fails.' },
    lengths: { subject: 200, message: 4_000, name: 120 },
  },
] as const;

const HOSTILE: Form = {
  name: '<script>alert(1)</script>',
  message: '<img src=x onerror=alert(1)>\r\nBcc: everyone@example.com\n\nSubject: other',
  subject: 'Hello <b>body</b>',
  company: '"><svg onload=alert(1)>',
  phone: "' or 1=1 --",
};

for (const { path, table, template, complete, required, lengths } of FORMS)
  describe(`contact form ${path}`, () => {
    const service = useAdminService({ CONTACT_INBOX: 'inbox@example.com' });
    const submit = (form: object | string | undefined, headers = {}) =>
      service().withToken().send('POST', path, form, headers);
    const findStored = (email: string) =>
      service().records.query(`select * from ${table} where email = $1`, [email]);
    const findMails = async (email: string) =>
      (
        await service().records.query<{ mail: Mail; request_id: string }>(
          `select mail, request_id from mail_outbox where mail -> 'request' ->> 'email' = $1`,
          [email],
        )
      ).map((row) => ({ mail: row.mail, requestId: row.request_id }));

    it('returns 204, stores the form and adds a mail to the outbox', async () => {
      const form = { ...complete, email: uniqueEmail() };
      const { status, text, headers } = await submit(form, { 'X-Request-Id': 'contact-1' });
      expect({ status, text }).to.deep.equal({ status: 204, text: '' });
      const [stored, ...others] = await findStored(form.email);
      expect(others).to.deep.equal([]);
      expect(stored).to.include(form);
      expect(await findMails(form.email)).to.deep.equal([
        { mail: { template, to: 'inbox@example.com', request: form }, requestId: headers['x-request-id'] },
      ]);
      expect(headers['x-request-id']).to.equal('contact-1');
    });

    it('stores null for optional fields that are absent', async () => {
      const form = { ...required, email: uniqueEmail() };
      expect((await submit(form)).status).to.equal(204);
      const [stored] = await findStored(form.email);
      for (const field of Object.keys(complete))
        expect(stored?.[field]).to.equal(Object.entries(form).find(([name]) => name === field)?.[1] ?? null);
      expect(Object.keys((await findMails(form.email))[0]?.mail ?? {})).to.have.members([
        'template',
        'to',
        'request',
      ]);
    });

    it('ignores the Authorization header', async () => {
      for (const authorization of [undefined, 'Bearer garbage', 'Basic x']) {
        const form = { ...required, email: uniqueEmail() };
        expect((await submit(form, { Authorization: authorization })).status).to.equal(204);
      }
    });

    it('returns 400 with the name of a missing field and stores nothing', async () => {
      const email = uniqueEmail();
      for (const field of [...Object.keys(required), 'email']) {
        const form = Object.fromEntries(
          Object.entries({ ...complete, email }).filter(([name]) => name !== field),
        );
        expectError(await submit(form), 400, 'VALIDATION_FAILED', `/body/${field}`);
      }
      expect(await findStored(email)).to.deep.equal([]);
    });

    for (const [field, maxLength] of Object.entries(lengths)) {
      it(`accepts ${field} with 1 to ${maxLength} characters and returns 400 otherwise`, async () => {
        for (const value of ['x', 'x'.repeat(maxLength), '🚀'.repeat(maxLength)]) {
          const form = { ...complete, email: uniqueEmail(), [field]: `\u00a0${value}\n ` };
          expect((await submit(form)).status).to.equal(204);
          expect((await findStored(form.email))[0]?.[field]).to.equal(value);
        }
        const lines = field === 'message' ? [] : ['x\r\nBcc: everyone@example.com'];
        const controls = [...lines, 'x\u202ey'];
        for (const value of [
          '',
          ' \n\ufeff',
          ...controls,
          'x'.repeat(maxLength + 1),
          '🚀'.repeat(maxLength + 1),
        ]) {
          const response = await submit({ ...complete, email: uniqueEmail(), [field]: value });
          expectError(response, 400, 'VALIDATION_FAILED', `/body/${field}`);
        }
      });
    }

    it('returns 400 for an invalid e-mail address', async () => {
      const tooLong = `${'x'.repeat(64)}@${`${'y'.repeat(60)}.`.repeat(4)}example.com`;
      for (const email of [
        '',
        'ada',
        'ada@',
        `${'x'.repeat(65)}@example.com`,
        '@example.com',
        'a b@example.com',
        'a@b.c\r\nBcc: x@y.z',
        tooLong,
        null,
      ])
        expectError(await submit({ ...complete, email }), 400, 'VALIDATION_FAILED', '/body/email');
    });

    it('returns 400 with the name of an undeclared field', async () => {
      for (const field of ['to', 'html', 'template', 'address', 'id', 'createdAt']) {
        const response = await submit({ ...complete, email: uniqueEmail(), [field]: 'x' });
        expectError(response, 400, 'VALIDATION_FAILED', `/body/${field}`);
      }
      expectError(
        await service().withToken().send('POST', `${path}?to=x`, complete),
        400,
        'VALIDATION_FAILED',
      );
    });

    it('stores and mails malicious input unchanged', async () => {
      const hostile = Object.entries(HOSTILE).filter(([field]) => field in complete);
      const form: Form = { ...complete, ...Object.fromEntries(hostile), email: uniqueEmail() };
      if (form['phone']) form['phone'] = form['phone'].slice(0, 32);
      expect((await submit(form)).status).to.equal(204);
      expect((await findStored(form['email'] ?? ''))[0]).to.include(form);
      expect((await findMails(form['email'] ?? ''))[0]?.mail).to.deep.include({
        to: 'inbox@example.com',
        request: form,
      });
    });

    it('returns 500 and stores nothing when the outbox insert fails', async () => {
      const email = `${uniqueWord()}@example.com`;
      await withFailing(service().databaseUrl, 'insert', 'mail_outbox', async () =>
        expectError(await submit({ ...complete, email }), 500, 'INTERNAL_ERROR'),
      );
      expect(await findStored(email)).to.deep.equal([]);
      expect((await submit({ ...complete, email })).status).to.equal(204);
    });
  });
