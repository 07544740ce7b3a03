import { randomUUID } from 'node:crypto';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { createServiceClient } from '@platform/shared/testing/service-client';
import { openVerified } from './accounts.ts';
import { HOUR, type Rule, repeat, type World } from './rule.ts';
import { openAdministrator } from './token-rules.ts';

/** A client of the back office whose ADMIN has just signed in. */
const signInToBackOffice = async (
  { admin }: World,
  { signIn }: Pick<Awaited<ReturnType<typeof openAdministrator>>, 'signIn'>,
) => admin.withToken((await signIn()).accessToken);

export const LIMIT_RULES: Rule[] = [
  {
    name: 'changes of the password: ten an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const change = (refreshToken: string, number: number) =>
        client.resetPasswordMe({
          ...device,
          refreshToken,
          body: {
            currentPassword: number === 0 ? PASSWORD : `${PASSWORD} ${number}`,
            newPassword: `${PASSWORD} ${number + 1}`,
          },
        });
      await repeat(10, (number) => change(device.refreshToken, number));
      return { id, ask: () => change(device.refreshToken, 10) };
    },
    before: '429 RATE_LIMITED',
    after: '204',
  },
  {
    name: 'changes of the second factors: ten an hour',
    limit: HOUR,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      await repeat(10, () => client.addPasskey(device));
      const ask = async () =>
        client.secondFactorChange({
          ...(await client.refreshed(device)),
          body: { isRequired: true, currentPassword: PASSWORD },
        });
      return { id, ask };
    },
    before: '429 RATE_LIMITED',
    after: '200',
  },
  {
    name: 'platform roles that an ADMIN gives: twenty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const administrator = await openAdministrator(world);
      const invite = async () =>
        (await signInToBackOffice(world, administrator)).invite({
          body: { email: uniqueEmail(), role: 'OPERATOR' },
        });
      await repeat(20, invite);
      return { id: administrator.id, ask: invite };
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'notes about a user: sixty an hour',
    limit: HOUR,
    prepare: async ({ admin, auth }) => {
      const { id } = await auth.records.user(['CUSTOMER']);
      const ask = () => admin.administrator.addUserNote({ id, body: { text: 'Called back' } });
      await repeat(60, ask);
      return { id, ask };
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'replies of an ADMIN: sixty an hour',
    limit: HOUR,
    prepare: async (world) => {
      const administrator = await openAdministrator(world);
      const form = await world.auth.records.contactRequest();
      const reply = async () =>
        (await signInToBackOffice(world, administrator)).replyToContactRequest({
          id: form,
          body: { text: 'Thank you' },
        });
      await repeat(60, reply);
      return { id: administrator.id, ask: reply };
    },
    before: '429 RATE_LIMITED',
    after: '201',
  },
  {
    name: 'mails of another service to a user: twenty an hour',
    limit: HOUR,
    prepare: async ({ admin, auth }) => {
      const { id } = await auth.records.user(['CUSTOMER'], { isEmailVerified: true });
      const body = { userId: id, subject: 'A bid', text: 'A team has made a bid.' };
      const ask = () => createServiceClient(admin.url).putMail({ id: randomUUID(), body });
      await repeat(20, ask);
      return { id, ask };
    },
    before: '429 RATE_LIMITED',
    after: '202',
  },
];
