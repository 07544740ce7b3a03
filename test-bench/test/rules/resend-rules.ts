import { CONFIRMATION, uniqueEmail } from '@platform/shared/testing/builders';
import type { Device } from '@platform/shared/testing/device';
import { keepRefreshed, openUnverified, openVerified, startNewDevice } from './accounts.ts';
import { DAY, HOUR, MINUTE, type Rule, repeat } from './rule.ts';

const LOCK = 2 * MINUTE;

export const RESEND_RULES: Rule[] = [
  {
    name: 'next code that verifies the address: after 2 minutes',
    limit: LOCK,
    prepare: async (world) => {
      const { client, account, device, id } = await openUnverified(world);
      await client.requestVerificationCode(device, account.email);
      return { id, ask: () => client.verificationEmailCode(device) };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'next code that resets the password: after 2 minutes',
    limit: LOCK,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      await client.requestResetCode(account.email);
      return { id, ask: () => client.resetPasswordEmailCodeSend({ body: { email: account.email } }) };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'next code that signs in: after 2 minutes',
    limit: LOCK,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      await client.requestSignInCode(account.email);
      return { id, ask: () => client.signInEmailCodeSend({ body: { email: account.email } }) };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'next code to the same new address: after 2 minutes',
    limit: LOCK,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const newEmail = uniqueEmail();
      await client.requestEmailChangeCode(device, newEmail);
      return { id, ask: () => client.emailChange({ ...device, body: { newEmail, ...CONFIRMATION } }) };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'next code of a new device: after 2 minutes',
    limit: LOCK,
    prepare: async (world) => {
      const { id, client, fingerprint, challenge } = await startNewDevice(world);
      const ask = () => client.signInSecondFactorEmailCode({ fingerprint, body: { challenge } });
      await ask();
      return { id, ask };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'eleventh code to an address: an hour after the first',
    limit: HOUR - 10 * (LOCK + 1),
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      const ask = () => client.resetPasswordEmailCodeSend({ body: { email: account.email } });
      await repeat(10, async () => {
        await ask();
        await world.passTime(id, LOCK + 1);
      });
      return { id, ask };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'thirty-first code to an address: a day after the first',
    limit: DAY - 30 * 20 * MINUTE,
    prepare: async (world) => {
      const { client, account, id } = await openVerified(world);
      const ask = () => client.signInEmailCodeSend({ body: { email: account.email } });
      await repeat(30, async () => {
        await ask();
        await world.passTime(id, 20 * MINUTE);
      });
      return { id, ask };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'fourth further code to a known device: an hour after the first',
    limit: HOUR - 3 * (LOCK + 1),
    prepare: async (world) => {
      const { client, account, device, id } = await openVerified(world);
      const { fingerprint } = device;
      const ask = () => client.signInEmailCodeSend({ fingerprint, body: { email: account.email } });
      const askAfter = async (seconds: number) => {
        await world.passTime(id, seconds);
        await ask();
      };
      await repeat(30, () => askAfter(20 * MINUTE));
      await repeat(3, () => askAfter(LOCK + 1));
      await world.passTime(id, LOCK + 1);
      return { id, ask };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
  {
    name: 'eleventh code of a user for new addresses: an hour after the first',
    limit: HOUR - MINUTE,
    prepare: async (world) => {
      const { client, device, id } = await openVerified(world);
      const request = (by: Device) =>
        client.emailChange({ ...by, body: { newEmail: uniqueEmail(), ...CONFIRMATION } });
      await repeat(10, () => request(device));
      await world.passTime(id, MINUTE);
      const refresh = keepRefreshed(client, device);
      return { id, ask: async () => request(await refresh()) };
    },
    before: '429 RESEND_LOCKED',
    after: '200',
  },
];
