import { ACCOUNT_KINDS, CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { useCodeService } from './code-service.ts';

const NEW_PASSWORD = 'A better horse 2';

/** RFC 9110, 12.5.4. */
const CHOICES: [acceptLanguage: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['*', 'en'],
  ['en', 'en'],
  ['de', 'de'],
  ['DE', 'de'],
  ['de-AT', 'de'],
  ['de-CH-1996, de;q=0.9', 'de'],
  ['fr-FR, fr;q=0.9, de;q=0.5, en;q=0.2', 'de'],
  ['en-US, en;q=0.9, de;q=0.8', 'en'],
  ['de;q=0, *', 'en'],
  ['fr', 'en'],
  ['den', 'en'],
  ['constructor, __proto__', 'en'],
  [';;;q=,,', 'en'],
  [`${'fr, '.repeat(500)}de`, 'de'],
];

describe('mail language', () => {
  const service = useCodeService();
  const mailsTo = async (email: string) => [
    ...(await service().queuedMails()).filter((mail) => 'to' in mail && mail.to === email),
    ...(await service().outboxFor(email)),
  ];
  const languagesFor = async (email: string) =>
    (await mailsTo(email)).map((mail) => [mail.template, 'language' in mail && mail.language]);

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const createAccountAndDevice = async () => {
        const account = await client().createAccount();
        return { ...account, device: await client().openDevice(account) };
      };

      it('is the language of each request that causes a mail', async () => {
        const [german, english] = [{ 'Accept-Language': 'de' }, { 'Accept-Language': 'en' }];
        const { email, device } = await createAccountAndDevice();
        expect((await client().sendVerificationCode(device, german)).status).to.equal(200);
        expect((await client().sendResetCode({ email }, german)).status).to.equal(200);
        const reset = { email, code: await service().codeFor(email), newPassword: NEW_PASSWORD };
        expect((await client().resetPassword(reset, german)).status).to.equal(204);
        const other = await client().openDevice({ email, password: NEW_PASSWORD });
        const change = { currentPassword: NEW_PASSWORD, newPassword: PASSWORD };
        expect((await client().changePassword(other, change, english)).status).to.equal(204);
        expect(await languagesFor(email)).to.deep.equal([
          ['verification-code', 'de'],
          ['reset-password-code', 'de'],
          ['password-changed', 'de'],
          ['password-changed', 'en'],
        ]);
      });

      it('is English without a header, and with one that names no language of the mails', async () => {
        const { email, device } = await createAccountAndDevice();
        expect((await client().sendVerificationCode(device)).status).to.equal(200);
        expect((await client().sendResetCode({ email }, { 'Accept-Language': 'fr' })).status).to.equal(200);
        expect(await languagesFor(email)).to.deep.equal([
          ['verification-code', 'en'],
          ['reset-password-code', 'en'],
        ]);
      });

      it('does not change the decoy for an unknown e-mail', async () => {
        for (const acceptLanguage of ['de', 'en', 'fr']) {
          const before = (await service().queuedMails()).length;
          const email = uniqueEmail();
          const { status } = await client().sendResetCode({ email }, { 'Accept-Language': acceptLanguage });
          expect(status).to.equal(200);
          const queued = (await service().queuedMails()).slice(before);
          expect(queued).to.deep.equal([{ template: 'decoy' }]);
        }
      });
    });

  for (const [acceptLanguage, language] of CHOICES)
    it(`is ${language} for Accept-Language: ${acceptLanguage?.slice(0, 40)}`, async () => {
      const client = service().client(CUSTOMER);
      const { email } = await client.createAccount();
      const { status } = await client.sendResetCode({ email }, { 'Accept-Language': acceptLanguage });
      expect(status).to.equal(200);
      expect(await languagesFor(email)).to.deep.equal([['reset-password-code', language]]);
    });
});
