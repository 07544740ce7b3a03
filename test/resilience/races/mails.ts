import { randomUUID } from 'node:crypto';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { codeIn } from '@platform/shared/testing/inbox';
import { poll } from '@platform/shared/testing/poll';
import { deleteAccount } from './deletions.ts';
import { type Check, createRace, type Race, type RaceFixture } from './fixture.ts';

const DELIVERY_SECONDS = 30;

/** Resolves with the response of the deletion, which only proves that the sign-up was possible. */
const signUpAndDelete = async (fixture: RaceFixture, email: string, check: Check): Promise<HttpResponse> => {
  const account = await fixture.client(CUSTOMER).createAccount({ email });
  const member = { kind: CUSTOMER, ...account };
  const deleted = await deleteAccount(fixture, { member, device: await fixture.signIn(member) });
  check(deleted.status === 204, 'the deletion succeeds', formatStatus(deleted));
  return deleted;
};

const checkDelivered = async (
  { inbox }: RaceFixture,
  check: Check,
  email: string,
  isExpected: (mail: { subject: string; text: string }) => boolean,
): Promise<void> => {
  const isDelivered = async () => (await inbox.mailsTo(email)).some(isExpected);
  await poll(isDelivered, { timeoutSeconds: DELIVERY_SECONDS, everyMilliseconds: 100 });
  check(await isDelivered(), 'the mail is delivered');
};

/** A user signs up with the address to which contact forms are mailed, and deletes the account. */
export const createContactInboxRace = (fixture: RaceFixture): Race => ({
  run: async (check) => {
    const inbox = 'contact@example.com';
    const messages = [randomUUID(), randomUUID()];
    const submit = async (message = ''): Promise<HttpResponse> => {
      const body = { email: uniqueEmail(), subject: 'Help', message };
      const submitted = await fixture.send({ method: 'POST', path: '/api/v1/contact/support', body });
      check(submitted.status === 204, 'the form is accepted', formatStatus(submitted));
      return submitted;
    };
    const results = await Promise.all([
      signUpAndDelete(fixture, inbox, check),
      submit(messages[0]).then(() => submit(messages[1])),
    ]);
    for (const message of messages)
      await checkDelivered(fixture, check, inbox, ({ text }) => text.includes(message));
    return results;
  },
});

/**
 * An attacker moves the address of a stolen account, signs up with the former one, and deletes both accounts.
 */
export const createAddressNoticeRace = (fixture: RaceFixture): Race =>
  createRace(
    async () => {
      const member = await fixture.signUpVerified();
      const device = await fixture.signIn(member);
      const newEmail = uniqueEmail();
      const body = { newEmail, currentPassword: PASSWORD };
      const sent = await fixture.client(member.kind).emailChange({ ...device, body });
      if (sent.status !== 200) throw new Error(`No code for ${newEmail}: ${formatStatus(sent)}`);
      const code = codeIn(await fixture.inbox.untilMail(newEmail, '', 1, DELIVERY_SECONDS));
      return { member, device, code };
    },
    async ({ member, device, code }, check) => {
      const changed = await fixture.client(member.kind).emailChangeCheck({ ...device, body: { code } });
      check(changed.status === 200, 'the address is changed', formatStatus(changed));
      const results = await Promise.all([
        signUpAndDelete(fixture, member.email, check),
        deleteAccount(fixture, { member, device }),
      ]);
      const isNotice = ({ subject }: { subject: string }) => subject.includes('address was changed');
      await checkDelivered(fixture, check, member.email, isNotice);
      return results;
    },
  );
