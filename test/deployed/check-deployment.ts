import { randomUUID } from 'node:crypto';
import { type AccountState, createAccountState } from './checks/account-state.ts';
import { backOfficeChecks } from './checks/back-office.ts';
import { coverageSection } from './checks/coverage.ts';
import { invalidRequestSections } from './checks/invalid-requests.ts';
import { originSection } from './checks/origins.ts';
import { otherServiceSections } from './checks/other-services.ts';
import { providerSection } from './checks/providers.ts';
import { publicRouteSections } from './checks/public-routes.ts';
import { sessionChecks, signOutChecks } from './checks/sessions.ts';
import { createWriteSections } from './checks/write-sections.ts';
import { wrongPasswordChecks, wrongPasswordSection } from './checks/wrong-passwords.ts';
import { createCodeSource } from './code-source.ts';
import type { Options } from './config.ts';
import { type Contract, compareWithCheckout } from './contract.ts';
import { createMemory } from './memory.ts';
import { createPacedClient } from './paced-client.ts';
import type { Run, Section } from './probe.ts';
import { type Report, runSections } from './run-sections.ts';

export type Credentials = { kind: AccountState['kind']; email: string; password: string };

type RunOptions = Pick<
  Options,
  'url' | 'origin' | 'servicePaths' | 'requestsPerSecond' | 'write' | 'stackFile'
> & {
  contract: Contract;
  accounts: readonly Credentials[];
  signal: AbortSignal;
};

const accountSections = (state: AccountState, contract: Contract): Section[] => {
  const who = `${state.kind.kind} ${state.email}`;
  const backOffice = { title: `Back-office as ${who}`, checks: () => [backOfficeChecks(state, contract)] };
  return [
    { title: `Session of ${who}`, checks: () => [sessionChecks(state), wrongPasswordChecks(state)] },
    ...(state.kind.kind === 'administrator' ? [backOffice] : []),
  ];
};

/** Runs all checks. */
export const checkDeployment = async (options: RunOptions, report: Report): Promise<void> => {
  const { url, origin, servicePaths, requestsPerSecond, write, stackFile, contract, signal } = options;
  for (const document of contract.documents) report(await compareWithCheckout(document));
  if (contract.release !== undefined) report(`Judged by the contract of release ${contract.release}`);
  const fingerprint = `check-deployed ${randomUUID()}`;
  const accounts = options.accounts.map((account) => createAccountState({ ...account, fingerprint }));
  const writing = write && createWriteSections(write.mailDomain, accounts);
  const run: Run = {
    url,
    contract,
    client: createPacedClient({ url, requestsPerSecond, log: report }),
    memory: createMemory(contract),
    failures: new Map(),
    undos: new Map(),
    origin,
    servicePaths,
    isTestBench: stackFile !== undefined,
    readCode: write && createCodeSource(write.inboxUrl, signal),
    signal,
  };
  // The rules are loaded only for a test bench, because they load the services.
  const rules = stackFile !== undefined && (await (await import('./time-rules.ts')).openTimeRules(stackFile));
  const sections: Section[] = [
    ...publicRouteSections(contract),
    originSection,
    ...invalidRequestSections(contract),
    wrongPasswordSection,
    providerSection,
    ...accounts.flatMap((state) => accountSections(state, contract)),
    ...(writing?.sections ?? []),
    { title: 'Sign-out', checks: () => accounts.map(signOutChecks) },
    ...otherServiceSections(servicePaths, accounts),
    ...(rules ? [rules.section] : []),
    coverageSection(run.memory, { accounts, newUsers: writing?.newUsers ?? [] }),
  ];
  await runSections(sections, run, report);
  if (rules) await rules.close();
  if (writing) report(`\n${writing.describeResidue()}`);
};
