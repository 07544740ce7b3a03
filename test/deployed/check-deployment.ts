import { randomUUID } from 'node:crypto';
import { type AccountState, createAccountState } from './checks/account-state.ts';
import { backOfficeChecks } from './checks/back-office.ts';
import { coverageSection } from './checks/coverage.ts';
import { invalidRequestSections } from './checks/invalid-requests.ts';
import { originSection } from './checks/origins.ts';
import { providerSection } from './checks/providers.ts';
import { publicRouteSections } from './checks/public-routes.ts';
import { sessionChecks, signOutCheck } from './checks/sessions.ts';
import { createWriteSections } from './checks/write-sections.ts';
import { createCodeSource } from './code-source.ts';
import type { Options } from './config.ts';
import { type Contract, compareWithCheckout } from './contract.ts';
import { createMemory } from './memory.ts';
import { createPacedClient } from './paced-client.ts';
import type { Section } from './probe.ts';
import { createUndoList, type Report, runSections, type UndoList } from './run-sections.ts';

export type Credentials = { kind: AccountState['kind']; email: string; password: string };

type Run = Pick<Options, 'url' | 'origin' | 'requestsPerSecond' | 'write'> & {
  contract: Contract;
  accounts: readonly Credentials[];
  /** Ends the run; all accounts are still signed out. */
  signal: AbortSignal;
};

const accountSections = (states: readonly AccountState[], contract: Contract, undo: UndoList): Section[] =>
  states.flatMap((state) => {
    const who = `${state.kind.kind} ${state.email}`;
    const backOffice = { title: `Back-office as ${who}`, checks: () => backOfficeChecks(state, contract) };
    return [
      { title: `Session of ${who}`, checks: () => sessionChecks(state, contract, undo) },
      ...(state.kind.kind === 'administrator' ? [backOffice] : []),
    ];
  });

/** Runs all checks; what they have changed is undone also when they are interrupted. */
export const checkDeployment = async (run: Run, report: Report): Promise<void> => {
  const { url, origin, requestsPerSecond, write, contract, signal } = run;
  for (const document of contract.documents) report.log(await compareWithCheckout(document));
  const client = createPacedClient({ url, requestsPerSecond, log: report.log });
  const undo = createUndoList();
  const fingerprint = `check-deployed ${randomUUID()}`;
  const states = run.accounts.map((account) => createAccountState({ ...account, fingerprint }));
  const writing =
    write &&
    createWriteSections({
      mailDomain: write.mailDomain,
      origin,
      readCode: createCodeSource(write.inboxUrl, signal),
      accounts: states,
      contract,
      undo,
    });
  const memory = createMemory(contract);
  const sections: Section[] = [
    ...publicRouteSections(contract, url),
    originSection(origin),
    ...invalidRequestSections(contract),
    providerSection(origin),
    ...accountSections(states, contract, undo),
    ...(writing?.sections ?? []),
    { title: 'Sign-out', checks: () => states.map((state) => signOutCheck(state, undo)) },
    coverageSection({ memory, accounts: states, newUsers: writing?.newUsers ?? [] }),
  ];
  const options = { url, contract, client, memory, signal };
  try {
    await runSections(sections, options, report);
  } catch (error) {
    report.check(false, error instanceof Error ? error.message : String(error));
  }
  await undo.runAll(options, report);
  if (writing) report.log(`\n${writing.describeResidue()}`);
};
