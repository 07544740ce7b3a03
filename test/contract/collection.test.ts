import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startProcess } from '@platform/shared/testing/process';
import { type RunningStack, startStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import { installPackage } from '../../tools/install-package.ts';
import {
  createOperationFinder,
  loadOperations,
  type Operation,
  validateBody,
} from '../openapi-operations.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const COLLECTION = join(ROOT, 'collection');
const BRUNO = join(ROOT, 'test/collection/node_modules/@usebruno/cli/bin/bru.js');
const RUN_SECONDS = 120;

/** The errors of generated requests on new demo data; all others succeed. */
const EXPECTED_ERRORS = {
  // The demo accounts are verified, and the code in the body is an example.
  ...Object.fromEntries(
    ['customer', 'employee', 'administrator'].flatMap((kind) => [
      [`${kind}VerificationEmailCode`, 'EMAIL_ALREADY_VERIFIED'],
      [`${kind}VerificationEmailCodeCheck`, 'EMAIL_ALREADY_VERIFIED'],
      [`${kind}ResetPasswordEmailCode`, 'CODE_INVALID'],
      [`${kind}EmailChangeCheck`, 'CODE_INVALID'],
      // The codes, challenges and passkeys in the bodies are examples.
      [`${kind}TotpConfirm`, 'SECOND_FACTOR_INVALID'],
      [`${kind}TotpRemove`, 'SECOND_FACTOR_INVALID'],
      [`${kind}RecoveryCodesReplace`, 'SECOND_FACTOR_INVALID'],
      [`${kind}PasskeyCreate`, 'SECOND_FACTOR_INVALID'],
      [`${kind}SecondFactorOptions`, 'PASSKEY_NOT_FOUND'],
      [`${kind}PasskeyRename`, 'PASSKEY_NOT_FOUND'],
      [`${kind}PasskeyDelete`, 'PASSKEY_NOT_FOUND'],
      [`${kind}SignInSecondFactor`, 'CHALLENGE_INVALID'],
      [`${kind}SignInSecondFactorOptions`, 'CHALLENGE_INVALID'],
      [`${kind}SignInPasskey`, 'SECOND_FACTOR_INVALID'],
      // Nobody has signed in at the provider, and the identity is an example.
      [`${kind}OidcSignIn`, 'OIDC_STATE_INVALID'],
      [`${kind}IdentityLink`, 'PROVIDER_NOT_FOUND'],
      [`${kind}IdentityUnlink`, 'IDENTITY_NOT_FOUND'],
      // Nobody should delete a demo account by sending every request.
      [`${kind}AccountDelete`, 'CURRENT_PASSWORD_WRONG'],
    ]),
  ),
  // The token in the body is an example.
  oidcBackchannelLogout: 'VALIDATION_FAILED',
  // The administrator's platform role is ADMIN.
  operatorWorkspaceMe: 'WORKSPACE_FORBIDDEN',
  arbiterWorkspaceMe: 'WORKSPACE_FORBIDDEN',
  // The newest user is the administrator who was just registered.
  blockUser: 'USER_IS_ADMIN',
  unblockUser: 'USER_NOT_BLOCKED',
};

type Result = {
  test: { filename: string };
  request: { method: string; url: string };
  response: { status: number; data: { code?: string } };
  error: string | null;
  status: string;
  assertionResults: { status: string }[];
};
type Run = { code: number | null; output: string; results: Result[] };

const countAssertions = ({ results }: Run, status: string): number =>
  results.flatMap(({ assertionResults }) => assertionResults).filter((result) => result.status === status)
    .length;

/** Bruno reports a request with a failed assertion as passed. */
const hasFailed = ({ status, assertionResults }: Result): boolean =>
  status !== 'pass' || assertionResults.some((assertion) => assertion.status !== 'pass');

/** The files of the failed requests; the output of a run that sent none. */
const listFailures = ({ output, results }: Run): string[] =>
  results.length === 0 ? [output] : results.filter(hasFailed).map(({ test }) => test.filename);

const countFiles = async (folder: string): Promise<number> => {
  const files = await readdir(join(COLLECTION, folder), { recursive: true });
  return files.filter((file) => file.endsWith('.yml') && !file.endsWith('folder.yml')).length;
};

describe('request collection', function () {
  this.timeout((RUN_SECONDS + 30) * 1_000);
  let running: RunningStack;
  let operations: Operation[];
  let directory: string;

  before('install Bruno and start a stack with demo data', async function () {
    this.timeout(300_000);
    await installPackage('test/collection');
    operations = await loadOperations();
    directory = await mkdtemp(join(tmpdir(), 'collection-'));
    running = await startStack({ SEED_DEMO: 'on' });
  });
  after('stop the stack', async function () {
    this.timeout(30_000);
    await running?.stop();
    if (directory) await rm(directory, { recursive: true, force: true });
  });

  /** Runs Bruno's command line on a folder, in the environment `development` except for the ports. */
  const run = async (folder: string, args: string[] = [], collection = COLLECTION): Promise<Run> => {
    const { gatewayUrl, inboxUrl } = running.stack;
    const report = join(directory, 'report.json');
    await rm(report, { force: true });
    const variables = [`gatewayUrl=${gatewayUrl}`, `inboxUrl=${inboxUrl}`].flatMap((pair) => [
      '--env-var',
      pair,
    ]);
    const process_ = startProcess(
      [
        BRUNO,
        'run',
        folder,
        '-r',
        '--noproxy',
        '--env',
        'development',
        ...variables,
        '--reporter-json',
        report,
        ...args,
      ],
      { environment: { PATH: process.env['PATH'], HOME: directory }, cwd: collection },
    );
    const { code } = await process_.waitForExit(RUN_SECONDS);
    const text = await readFile(report, 'utf8').catch(() => '[]');
    return { code, output: process_.output(), results: JSON.parse(text)[0]?.results ?? [] };
  };

  it('contains a request for every operation, each with a documented response', async () => {
    const findOperation = createOperationFinder(operations);
    const started = await run('operations', ['--exclude-tags', 'ends-session']);
    const ended = await run('operations', ['--tags', 'ends-session,signs-in']);
    const results = [
      ...started.results,
      ...ended.results.filter(({ request }) => !/sign-in$/.test(request.url)),
    ];
    const errors: Record<string, string | undefined> = {};
    const sent = new Set<string>();
    for (const { request, response, error, test } of results) {
      expect(error, test.filename).to.equal(null);
      const operation = findOperation({ method: request.method, path: new URL(request.url).pathname });
      if (!operation) throw new Error(`${test.filename} reaches no operation`);
      const { status, data } = response;
      expect(Object.keys(operation.responses), test.filename).to.include(String(status));
      const body = status === 204 ? undefined : data;
      expect(validateBody(operation, status, body), test.filename).to.equal(undefined);
      if (status >= 400 && !/EndSession$/.test(operation.id)) errors[operation.id] = data.code;
      sent.add(operation.name);
    }
    expect([...sent]).to.have.members(operations.map(({ name }) => name));
    expect(results).to.have.length(await countFiles('operations'));
    expect(errors).to.deep.equal(EXPECTED_ERRORS);
    const successes = results.filter(({ response }) => response.status < 300).length;
    console.log(`      ${results.length} requests: ${successes} successes, the others documented errors`);
  });

  it('completes the journeys', async () => {
    const finished = await run('journeys');
    expect(listFailures(finished)).to.deep.equal([]);
    expect(finished.code, finished.output).to.equal(0);
    expect(finished.results).to.have.length(await countFiles('journeys'));
    expect(finished.results.filter(({ assertionResults }) => assertionResults.length === 0)).to.deep.equal(
      [],
    );
    const [passed, failed] = [countAssertions(finished, 'pass'), countAssertions(finished, 'fail')];
    console.log(`      ${finished.results.length} requests: ${passed} assertions passed, ${failed} failed`);
  });

  it('fails when an assertion of a journey does not hold', async () => {
    const copy = join(directory, 'collection');
    await cp(COLLECTION, copy, { recursive: true });
    const file = join(copy, 'journeys/customer/06-verify-email.yml');
    const content = await readFile(file, 'utf8');
    expect(content).to.include('value: "true"');
    await writeFile(file, content.replace('value: "true"', 'value: "false"'));
    const failed = await run('journeys/customer', [], copy);
    expect(failed.code).to.not.equal(0);
    expect(listFailures(failed)).to.deep.equal(['journeys/customer/06-verify-email.yml']);
    expect(countAssertions(failed, 'fail')).to.equal(1);
  });
});
