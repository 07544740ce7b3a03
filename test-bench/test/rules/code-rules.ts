import { insertInvitation } from '@platform/auth-service/testing/invitations';
import { uniqueEmail, uniqueFingerprint } from '@platform/shared/testing/builders';
import { openUnverified, openVerified, startNewDevice } from './accounts.ts';
import { DAY, MINUTE, type Rule } from './rule.ts';

const NEW_PASSWORD = 'A better horse 2';
const CODE = 15 * MINUTE;

export const CODE_RULES: Rule[] = [
  {
    name: 'code that verifies the address: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, account, device, id } = await openUnverified(world);
      const code = await client.requestVerificationCode(device, account.email);
      return { id, ask: () => client.verificationEmailCodeCheck({ ...device, body: { code } }) };
    },
    before: '200',
    after: '400 CODE_INVALID',
  },
  {
    name: 'code that resets the password: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      const code = await client.requestResetCode(account.email);
      const body = { email: account.email, code, newPassword: NEW_PASSWORD };
      return { id, ask: () => client.resetPasswordEmailCode({ body }) };
    },
    before: '204',
    after: '400 CODE_INVALID',
  },
  {
    name: 'code that signs in: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      const body = { email: account.email, code: await client.requestSignInCode(account.email) };
      return { id, ask: () => client.signInEmailCode({ fingerprint: uniqueFingerprint(), body }) };
    },
    before: '200',
    after: '400 CODE_INVALID',
  },
  {
    name: 'code that changes the address: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const code = await client.requestEmailChangeCode(device, uniqueEmail());
      return { id, ask: () => client.emailChangeCheck({ ...device, body: { code } }) };
    },
    before: '200',
    after: '400 CODE_INVALID',
  },
  {
    name: 'requested change of the address: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      await client.requestEmailChangeCode(device, uniqueEmail());
      const ask = async () => {
        const { pending } = (await client.emailChangePending(device)).body;
        return pending === null ? 'none' : 'pending';
      };
      return { id, ask };
    },
    before: 'pending',
    after: 'none',
  },
  {
    name: 'device that has reset the password needs no code: 15 minutes',
    limit: CODE,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      const fingerprint = uniqueFingerprint();
      const { email } = account;
      const code = await client.requestResetCode(email);
      const strict = world.strict.as('customer');
      await strict.resetPasswordEmailCode({ fingerprint, body: { email, code, newPassword: NEW_PASSWORD } });
      const body = { email, password: NEW_PASSWORD };
      return { id, ask: () => strict.signIn({ fingerprint, body }) };
    },
    before: '200',
    after: '401 SECOND_FACTOR_REQUIRED',
  },
  {
    name: 'code of a new device, whose sign-in ends first: 5 minutes',
    limit: 5 * MINUTE,
    prepare: async (world) => {
      const { id, client, account, fingerprint, challenge } = await startNewDevice(world);
      const sending = client.signInSecondFactorEmailCode({ fingerprint, body: { challenge } });
      const emailCode = await world.auth.mails.codeOf(account.email, sending);
      return { id, ask: () => client.signInSecondFactor({ fingerprint, body: { challenge, emailCode } }) };
    },
    before: '200',
    after: '401 CHALLENGE_INVALID',
  },
  {
    name: 'invitation: 7 days',
    limit: 7 * DAY,
    prepare: async ({ auth, codeSecret }) => {
      const { id, code } = await insertInvitation(auth.records, { codeSecret });
      return { id, ask: () => auth.as('administrator').invitationCheck({ body: { code } }) };
    },
    before: '200',
    after: '400 CODE_INVALID',
  },
];
