import { isDeepStrictEqual } from 'node:util';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { createHttpClient } from '@platform/shared/testing/http-client';
import { type AccountState, createAccountState } from './checks/account-state.ts';
import { meCheck, refreshCheck, signInCheck, signOutCheck } from './checks/sessions.ts';
import { type Contract, fetchContract } from './contract.ts';
import type { PacedClient } from './paced-client.ts';
import type { Check } from './probe.ts';
import { createUndoList, type ProbeOptions, runCheck, type UndoList } from './run-sections.ts';

const REQUEST_SECONDS = 15;

/** `contract`: the platform does not serve its OpenAPI documents. */
export const STEPS = ['contract', 'sign_in', 'me', 'refresh', 'sign_out'] as const;
type Failure = { step: (typeof STEPS)[number]; problem: string };

const createChecks = (state: AccountState, undo: UndoList) =>
  [
    ['sign_in', signInCheck(state, undo)],
    ['me', meCheck(state)],
    ['refresh', refreshCheck(state)],
    ['sign_out', signOutCheck(state, undo)],
  ] as const;

/** Unlike that of the checks, it never repeats a request: a user would notice a 503. */
const createClient = (url: string): PacedClient => {
  const client = createHttpClient(url, { timeoutSeconds: REQUEST_SECONDS });
  return {
    send: async (request, { onResponse }) => {
      const response = await client.send(request);
      onResponse(response);
      return response;
    },
  };
};

/** What is wrong with the responses of a check; undefined when it passes. */
const findProblem = async (check: Check, options: ProbeOptions): Promise<string | undefined> => {
  let problem: string | undefined;
  const fail = (text: string) => {
    problem = text;
  };
  await runCheck(check, options, {
    check: (holds, text) => holds || fail(text),
    skip: fail,
    log: () => undefined,
  });
  return problem;
};

type Options = { url: string; account: { email: string; password: string } };

/** The journey of a customer; each run resolves with its failure, if any. */
export const createJourney = ({ url, account }: Options) => {
  const client = createClient(url);
  let contract: Contract | undefined;
  let isVerified = false;

  /** Keeps the contract while it does not change, because each one compiles all of its schemas. */
  const updateContract = async (): Promise<Contract> => {
    const published = contract && isVerified ? contract : await fetchContract(url);
    if (!contract || !isDeepStrictEqual(published.documents, contract.documents)) contract = published;
    return contract;
  };

  const runSteps = async (options: ProbeOptions): Promise<Failure | undefined> => {
    const undo = createUndoList();
    // One fingerprint, so that the account has one session.
    const state = createAccountState({ kind: CUSTOMER, ...account, fingerprint: 'probe' });
    for (const [step, check] of createChecks(state, undo)) {
      const problem = await findProblem(check, options);
      if (problem === undefined) continue;
      await undo.runAll(options, { check: () => undefined, skip: () => undefined, log: () => undefined });
      return { step, problem };
    }
    return undefined;
  };

  return async (): Promise<Failure | undefined> => {
    try {
      const failure = await runSteps({ url, contract: await updateContract(), client, signal: undefined });
      isVerified = failure === undefined;
      return failure;
    } catch (error) {
      return { step: 'contract', problem: error instanceof Error ? error.message : String(error) };
    }
  };
};
