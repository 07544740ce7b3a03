import { randomInt } from 'node:crypto';
import { loadOperations } from '@platform/shared/testing/openapi-operations';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import fc from 'fast-check';
import { createFixture, type Fixture } from './fixture.ts';
import { type Monitor, readLogs, startMonitor } from './monitor.ts';
import { createProperties, type Property, type SentRequest } from './properties.ts';

// FUZZ_SEED=42                                   generates the same requests again
// FUZZ_SEED=42 FUZZ_PATH=admin/blockUser:17:0:1  replays one request: the operation, then fast-check's path
// FUZZ_PATH=admin/blockUser FUZZ_REQUESTS=1000   tests one operation
const { FUZZ_SEED = randomInt(2 ** 31), FUZZ_REQUESTS = 20_000, FUZZ_PATH = '' } = process.env;
const seed = Number(FUZZ_SEED);
const [, selected = '', path = ''] = /^([^:]*):?(.*)$/.exec(FUZZ_PATH) ?? [];

const CHECK_SECONDS = 900;
const MAX_LINE_LENGTH = 700;
const ENVIRONMENT = {
  // Production rejects cheap hashes, and the suite has no time for expensive ones.
  NODE_ENV: 'test',
  CORS_ORIGINS: 'http://localhost:5173',
  WEBAUTHN_RP_ID: 'localhost',
  WEBAUTHN_ORIGINS: 'http://localhost:5173',
  RATE_LIMIT_SCALE: '100000',
  LOG_LEVEL: 'warn',
  // V8 collects a small young generation more often, so that a leak shows sooner.
  NODE_OPTIONS: '--max-semi-space-size=2',
};

const ALWAYS_REJECTED = [
  // Administrators hold a platform role, so they cannot delete their accounts.
  'auth/administratorAccountDelete',
  // Logout tokens are sent by the provider itself, and each is accepted once.
  'auth/oidcBackchannelLogout',
  // The code of an invitation is only in its mail.
  'auth/invitationCheck',
  'auth/invitationAccept',
  // No other user has an authenticator app, a passkey, an identity or a pause.
  'admin/removeTotpOfUser',
  'admin/removePasskeyOfUser',
  'admin/unlinkIdentityOfUser',
  'admin/endPauseOfUser',
  // Codes for a new device need NEW_DEVICE_CODE, with which the callers could not sign in.
  'auth/customerSignInSecondFactorEmailCode',
  'auth/employeeSignInSecondFactorEmailCode',
  // It does not exist without BOT_CHECK.
  'auth/botCheckChallenge',
  // Nearly all raw requests violate HTTP.
  'raw',
];

const operations = await loadOperations();
const names = [...operations.map(({ name }) => name), 'raw'];

const checkProperty = ({ name, attempt }: Property, numRuns: number) => {
  const property = fc.asyncProperty(attempt, (send) => send());
  return fc.check(property, {
    // Otherwise all properties would make the same choices.
    seed: seed + names.indexOf(name),
    ...(path === '' ? { numRuns } : { path, endOnFailure: true, numRuns: 1 }),
    plugins: [fc.interruptAfterTimeLimit(CHECK_SECONDS * 1_000, { failOnInterrupt: true })],
  });
};

type Details = Awaited<ReturnType<typeof checkProperty>>;

/** Describes what was wrong, the request, its log lines, and how to send it again. */
const describeFailure = (name: string, details: Details, dataDir: string): string => {
  const { errorInstance, counterexamplePath } = details;
  const { message, cause } = errorInstance instanceof Error ? errorInstance : new Error('interrupted');
  const logs = cause ? readLogs(dataDir).filter((line) => line.includes(`"${cause}"`)) : [];
  const replay = `FUZZ_SEED=${seed} FUZZ_PATH=${name}:${counterexamplePath} npm run test:all -- test/fuzz`;
  return [message, ...logs, replay].map((line) => line.slice(0, MAX_LINE_LENGTH)).join('\n');
};

describe(`requests generated from the OpenAPI documents, FUZZ_SEED=${seed}`, () => {
  let running: RunningStack | undefined;
  let fixture: Fixture | undefined;
  let monitor: Monitor | undefined;
  const sent: SentRequest[] = [];
  const results = new Map<string, Details>();
  const tested = names.filter((name) => selected === '' || name === selected);

  before('send them, those of all operations at the same time', async function () {
    this.timeout((CHECK_SECONDS + 180) * 1_000);
    running = await startStack(ENVIRONMENT);
    fixture = await createFixture(running);
    monitor = startMonitor(running);
    const onSent = (request: SentRequest) => monitor?.onRequest(sent.push(request));
    const { gatewayUrl } = running.stack;
    const properties = createProperties({ gatewayUrl, operations, fixture, onSent });
    const numRuns = Math.ceil(Number(FUZZ_REQUESTS) / tested.length);
    const run = async (property: Property) =>
      results.set(property.name, await checkProperty(property, numRuns));
    await Promise.all(properties.filter(({ name }) => tested.includes(name)).map(run));
  });
  after('stop the stack', async () => {
    await fixture?.records.close();
    await running?.stop();
  });

  for (const name of tested)
    it(`${name} responds as documented`, () => {
      const details = results.get(name);
      if (details?.failed) throw new Error(describeFailure(name, details, running?.dataDir ?? ''));
    });

  if (selected === '') {
    it('succeed for each operation at least once', () => {
      const isSuccessful = (name: string) =>
        sent.some(({ property, status }) => property === name && status < 300);
      const unsuccessful = names.filter((name) => !isSuccessful(name) && !ALWAYS_REJECTED.includes(name));
      expect(unsuccessful).to.deep.equal([]);
    });

    it('leave the processes running, without errors and with the same memory', async () => {
      expect(await monitor?.findProblems()).to.deep.equal([]);
    });
  }
});
