import { isDeepStrictEqual } from 'node:util';
import { type AccountKind, ADMINISTRATOR, bearer } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueFingerprint } from '@platform/shared/testing/builders';
import { formatStatus, type HttpResponse } from '@platform/shared/testing/http-client';
import { runScript } from '@platform/shared/testing/process';
import { type FactorClient, nextTotpCode } from '../factor-client.ts';
import { type Fixture, KINDS, passTotpSteps, type User } from './fixture.ts';
import { type Account, type Attacker, createAttacker, type FactorName } from './pre-hijacking/attacker.ts';
import { type Owned, PROOFS, type Prove, secureAccount } from './pre-hijacking/proofs.ts';
import type { Providers } from './providers/fixture.ts';
import { proveWithProvider } from './providers/pre-hijacking.ts';

const NOT_VERIFIED = '403 EMAIL_NOT_VERIFIED';
const FACTORS: readonly FactorName[] = ['passkey', 'TOTP'];

type Outcome = { name: string; expected: string; actual: string };
type Cell = { fixture: Fixture; name: string; user: User };

const send = async (
  attacks: readonly [name: string, expected: string, send: () => Promise<HttpResponse>][],
): Promise<Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const [name, expected, request] of attacks)
    outcomes.push({ name, expected, actual: formatStatus(await request()) });
  return outcomes;
};

const checkAll = ({ fixture, name }: Cell, who: string, outcomes: readonly Outcome[]): void => {
  const shown = outcomes.map(({ name, actual }) => `${name}: ${actual}`).join('; ');
  const holds = outcomes.length > 0 && outcomes.every(({ expected, actual }) => actual === expected);
  fixture.check(holds, `${name}: ${who}`, shown);
};

const trySetUp = async (cell: Cell): Promise<void> => {
  const { factors, device } = cell.user;
  const outcomes = await send([
    [
      'an authenticator app',
      NOT_VERIFIED,
      () => factors.auth.setUpTotp(device, { currentPassword: PASSWORD }),
    ],
    ['its confirmation', NOT_VERIFIED, () => factors.confirmTotp(device, '000000')],
    [
      'a passkey',
      NOT_VERIFIED,
      () => factors.as(device, 'POST', '/passkeys/options', { currentPassword: PASSWORD }),
    ],
  ]);
  checkAll(cell, 'the attacker sets up factors with an unverified address', outcomes);
};

/** The owner's own factor, of the kind that the attacker had; returns how to sign in with it. */
const enableOwnFactor = async ({ fixture, user }: Cell, factor: FactorName, owned: Owned) => {
  const { factors } = user;
  if (factor === 'passkey') {
    const { authenticator } = await factors.addPasskey(owned.device, { password: owned.account.password });
    return async (client: FactorClient) =>
      client.signInWithPasskey('owner', authenticator.get(await client.getPasskeyOptions('owner')));
  }
  const totp = await factors.enableTotp(owned.device, owned.account.password);
  return async (client: FactorClient) => {
    await passTotpSteps(fixture, user.id);
    const fingerprint = uniqueFingerprint();
    const challenge = await client.openChallenge(owned.account, fingerprint);
    return await client.secondStep(challenge, fingerprint, { totpCode: nextTotpCode(totp) });
  };
};

/** The command prints the factors, and signs the owner's device out. */
const assignAdmin = async (cell: Cell, { account, device }: Owned, factor: FactorName): Promise<void> => {
  const environment = { DATABASE_URL: cell.fixture.stack.databaseUrl, ADMIN_ALLOWED_DOMAINS: 'example.com' };
  const program = 'auth-service/src/run-role-assign.ts';
  const { code, output } = await runScript(program, [account.email, 'ADMIN'], environment);
  const named =
    factor === 'TOTP' ? 'Second factors: an authenticator app.' : 'Second factors: passkey "Laptop".';
  const me = await cell.user.factors.auth.me(device);
  cell.fixture.check(
    code === 0 && output.includes(named) && me.code === 'TOKEN_INVALID',
    `${cell.name}: role:assign`,
    `${output.trim()} Owner's session: ${formatStatus(me)}`,
  );
};

const checkSignIns = async (
  cell: Cell,
  kind: AccountKind,
  attacker: Attacker,
  account: Account,
  signIn: (client: FactorClient) => Promise<HttpResponse>,
): Promise<void> => {
  const client = cell.fixture.client(kind);
  const password: [string, string, () => Promise<HttpResponse>] = [
    'old password',
    '401 INVALID_CREDENTIALS',
    () => client.auth.signIn({ email: account.email, password: PASSWORD }, 'attacker'),
  ];
  const attacks = await send([password, ...attacker.signIns(client, account)]);
  checkAll(cell, `the attacker signs in as one of the ${kind.plural}`, attacks);
  const signedIn = await signIn(client);
  cell.fixture.check(
    signedIn.status === 200,
    `${cell.name}: the owner signs in with the own factor`,
    signedIn,
  );
  if (kind !== ADMINISTRATOR || signedIn.status !== 200) return;
  const headers = bearer(client.auth.toDevice(signedIn));
  const workspace = await cell.fixture.send('/api/v1/administrator/me', { headers });
  cell.fixture.check(workspace.status === 200, `${cell.name}: the owner's workspace`, workspace);
};

const testCell = async (
  fixture: Fixture,
  kind: AccountKind,
  factor: FactorName,
  [proof, prove]: [string, Prove],
): Promise<void> => {
  const user = await fixture.createUser(kind);
  const { factors } = user;
  const cell = { fixture, name: `${kind.plural}, ${factor}, ${proof}`, user };
  await trySetUp(cell);
  const attacker = await createAttacker(fixture, user, factor);
  const owned = await prove({ fixture, user, device: await attacker.openSession() });
  checkAll(cell, 'what the attacker holds', await send(attacker.attacks(owned.device)));
  const { status, text, body } = await factors.auth.secondFactor(owned.device);
  const isEmpty = isDeepStrictEqual(body, { totp: null, passkeys: [], recoveryCodesLeft: 0 });
  fixture.check(status === 200 && isEmpty, `${cell.name}: factors in the owner's session`, text);

  const account = await secureAccount(factors, owned);
  const signIn = await enableOwnFactor(cell, factor, { ...owned, account });
  await checkSignIns(cell, kind, attacker, account, signIn);
  if (kind === ADMINISTRATOR) return;
  await assignAdmin(cell, { ...owned, account }, factor);
  await checkSignIns(cell, ADMINISTRATOR, attacker, account, signIn);
};

/** An attacker signs up with the address of another person, who proves it later. */
export const testPreHijacking = async (fixture: Fixture, providers: Providers): Promise<void> => {
  const proofs = { ...PROOFS, 'sign-in with a provider': proveWithProvider(providers) };
  for (const kind of KINDS) {
    fixture.section(
      `Account pre-hijacking of ${kind.plural}: the proof of an address ends what others set up`,
    );
    for (const factor of FACTORS)
      for (const proof of Object.entries(proofs)) await testCell(fixture, kind, factor, proof);
  }
};
