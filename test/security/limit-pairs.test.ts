// Tests each limit that an attacker can keep exhausted against each action of the owner on another network.
import { type AuthClient, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { createHttpClient, formatStatus } from '@platform/shared/testing/http-client';
import { createRecords } from '@platform/shared/testing/records';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { totpCode } from '@platform/shared/testing/totp';
import { expect } from 'chai';
import {
  addPasskey,
  changeFactors,
  changePasswords,
  floodGateway,
  guessCodes,
  guessFactorsOfAccount,
  guessPasswordsFromNetwork,
  guessPasswordsOfAccount,
  lockCodes,
  NEW_PASSWORD,
  sendCodes,
  useCode,
} from './limit-pairs/attacks.ts';
import { createOwner, type Owner, type Platform, readCode } from './limit-pairs/owner.ts';

const enterFactor = async (owner: Owner, client: AuthClient, fingerprint: string): Promise<string> => {
  const { records } = owner.platform;
  await records.query('update totp_factors set last_used_step = null where user_id = $1', [
    owner.account.userId,
  ]);
  const first = await client.signIn({ fingerprint, body: owner.account });
  const isWaiting = first.code !== 'SECOND_FACTOR_REQUIRED';
  const { challenge } = isWaiting ? owner.waiting : first.body;
  const device = isWaiting ? owner.waiting.fingerprint : fingerprint;
  const proof = { totpCode: totpCode(owner.totp.secret, 1) };
  return formatStatus(
    await client.signInSecondFactor({ fingerprint: device, body: { challenge, ...proof } }),
  );
};

/** Resets the password with the newest code, which the attacker may have requested. */
const resetByCode = async (owner: Owner, client: AuthClient, fingerprint?: string): Promise<string> => {
  const { email } = owner.account;
  if (owner.codes > 0) await readCode(owner);
  const sent = await client.resetPasswordEmailCodeSend({ body: { email } });
  if (sent.status === 200) owner.codes += 1;
  const code = await readCode(owner);
  return `${formatStatus(sent)}, ${formatStatus(await useCode(owner, client, code, fingerprint))}`;
};

const changePassword = async ({ device }: Owner, client: AuthClient): Promise<string> => {
  const change = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
  return formatStatus(await client.resetPasswordMe({ ...device, body: change }));
};

/** The actions of the owner, with the usual outcome. The table below lists the exceptions. */
const ACTIONS: Record<string, [usual: string, act: (owner: Owner) => Promise<string>]> = {
  'sign-in, new network': [
    '401 SECOND_FACTOR_REQUIRED',
    async ({ account, newNetwork }) =>
      formatStatus(await newNetwork.signIn({ fingerprint: uniqueFingerprint(), body: account })),
  ],
  'sign-in, known device': [
    '401 SECOND_FACTOR_REQUIRED',
    async ({ account, knownNetwork, device }) =>
      formatStatus(await knownNetwork.signIn({ fingerprint: device.fingerprint, body: account })),
  ],
  'factor, new network': ['200', (owner) => enterFactor(owner, owner.newNetwork, uniqueFingerprint())],
  'factor, known device': [
    '200',
    (owner) => enterFactor(owner, owner.knownNetwork, owner.device.fingerprint),
  ],
  'reset, new network': ['200, 204', (owner) => resetByCode(owner, owner.newNetwork)],
  'reset, known device': [
    '200, 204',
    (owner) => resetByCode(owner, owner.knownNetwork, owner.device.fingerprint),
  ],
  'password change, new network': ['204', (owner) => changePassword(owner, owner.newNetwork)],
  'password change, known device': ['204', (owner) => changePassword(owner, owner.knownNetwork)],
  'passkey, known device': [
    '201',
    async ({ knownNetwork, device }) => formatStatus(await addPasskey(knownNetwork, device)),
  ],
};

const LIMITED = '429 RATE_LIMITED';
const LOCKED = {
  'reset, new network': '429 RESEND_LOCKED, 204',
  'reset, known device': '429 RESEND_LOCKED, 204',
};

type Attack = [name: string, attack: (owner: Owner) => Promise<unknown>, exceptions: Record<string, string>];
const ATTACKS: readonly Attack[] = [
  ['passwords of a network', guessPasswordsFromNetwork, {}],
  [
    'passwords of the account',
    guessPasswordsOfAccount,
    { 'sign-in, new network': LIMITED, 'password change, new network': LIMITED },
  ],
  ['factors of the account', guessFactorsOfAccount, { 'factor, new network': LIMITED }],
  ['codes of the account', guessCodes, { 'reset, new network': `200, ${LIMITED}` }],
  [
    'passwords and codes of the account',
    async (owner) => {
      await guessPasswordsOfAccount(owner);
      await guessCodes(owner);
    },
    {
      'sign-in, new network': LIMITED,
      'password change, new network': LIMITED,
      'reset, new network': `200, ${LIMITED}`,
    },
  ],
  ['resend lock of codes', lockCodes, LOCKED],
  ['10 codes an hour', (owner) => sendCodes(owner, 1), LOCKED],
  ['30 codes a day', (owner) => sendCodes(owner, 3), LOCKED],
  [
    '10 password changes an hour',
    changePasswords,
    { 'password change, new network': LIMITED, 'password change, known device': LIMITED },
  ],
  ['10 factor changes an hour', changeFactors, { 'passkey, known device': LIMITED }],
  ['requests of an address', floodGateway, {}],
];

describe('limits that an attacker keeps exhausted', () => {
  let running: RunningStack | undefined;
  let platform: Platform;
  before('start a stack with the limits of production', async () => {
    running = await startStack({ RATE_LIMIT_SCALE: '1' });
    const { stack } = running;
    const from = (localAddress: string) =>
      createAuthClient('', CUSTOMER, createHttpClient(stack.gatewayUrl, { localAddress }).sendOrThrow);
    platform = { stack, records: createRecords(stack.databaseUrl), from };
  });
  after('stop it', async () => {
    await platform?.records.close();
    await running?.stop();
  });

  for (const [name, attack, exceptions] of ATTACKS)
    it(`leave the owner the expected access: ${name}`, async () => {
      for (const [action, [usual, act]] of Object.entries(ACTIONS)) {
        const owner = await createOwner(platform);
        await attack(owner);
        expect(await act(owner), action).to.equal(exceptions[action] ?? usual);
      }
    });
});
