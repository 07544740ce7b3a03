import { type AccountKind, type AuthClient, createAuthClient } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import type { ReadCode } from './code-source.ts';
import type { Contract } from './contract.ts';
import type { Memory } from './memory.ts';
import type { PacedClient } from './paced-client.ts';
import { checkTestBench, findGatewayProblems, findProblems } from './response-rules.ts';

/** Returns the paths that the error does not name. It names a repeated parameter together with the index of its value. */
const findUnnamed = ({ body }: HttpResponse, paths: readonly string[]): readonly string[] => {
  if (paths.length === 0) return [];
  const named = (body?.details ?? []).map(({ path = '' }: { path?: string }) => path) as string[];
  return paths.filter((path) => !named.some((each) => each === path || each.startsWith(`${path}/`)));
};

/** Named checks. Each prints one line. */
export type Checks = Record<string, (probe: Probe) => Promise<unknown>>;
/** `checks` is called when the section starts, so it can depend on earlier sections. */
export type Section = { title: string; checks: () => readonly Checks[] };

/** The state that all checks of a run share. */
export type Run = {
  url: string;
  contract: Contract;
  client: PacedClient;
  memory: Memory;
  /** The problems of earlier checks. */
  failures: Map<string, Pick<Problem, 'isRule'>>;
  /** Functions that undo the changes that are left at the end of the run. The newest runs first. */
  undos: Map<string, Checks[string]>;
  origin: string | undefined;
  /** The paths of other services. */
  servicePaths: readonly string[];
  /** Undefined if nobody can read the mails. */
  readCode: ReadCode | undefined;
  /** Ends the run. Changes are still undone. */
  signal: AbortSignal | undefined;
  /** Whether the URL is that of the proxy of a test bench. */
  isTestBench: boolean;
};

/** Sends the requests of one check, and collects the problems of the responses. */
export type Probe = Pick<Run, 'contract' | 'undos' | 'servicePaths'> & {
  /**
   * Checks the response against the documents and earlier responses; the response of another service only
   * against what the gateway adds.
   */
  call: (request: HttpRequest) => Promise<HttpResponse>;
  /** Like `call`, but does not wait and repeat the request after a 429. */
  callOnce: (request: HttpRequest) => Promise<HttpResponse>;
  /** The routes of an account kind, with the same checks. */
  auth: (kind: AccountKind) => AuthClient;
  /** Records a problem unless the condition holds. */
  check: (holds: boolean, problem: string, response?: HttpResponse) => void;
  /**
   * Expects a status and an error code; an error must name at least these `paths` in its details. A missing
   * success ends the check.
   */
  expect: (
    response: HttpResponse | Promise<HttpResponse>,
    status: number,
    code?: string,
    ...paths: string[]
  ) => Promise<HttpResponse>;
  /** If this check is skipped, operations that no other check tries are not reported as untried. */
  covers: (ids: RegExp) => void;
  /** Ends the check without a result. */
  skip: (reason: string) => never;
  /** Returns the origin of a frontend, or skips the check without one. */
  getOrigin: () => string;
  readCode: ReadCode;
};

const MAX_PROBLEMS = 5;

/** Ends a check that cannot run here or cannot continue. */
export class CheckEnded extends Error {}

/**
 * `where` names the request and its id. `isRule`: the response violates a rule that many responses share, so
 * one cause may fail several checks.
 */
export type Problem = { text: string; where: string | undefined; isRule: boolean };

export const createProbe = (run: Run) => {
  const { url, contract, client, memory, undos, origin, servicePaths, readCode, signal } = run;
  const problems: Problem[] = [];
  const covered: RegExp[] = [];
  const requests = new WeakMap<HttpResponse, string>();

  // Also if earlier responses have problems: the operations that follow were still not tried.
  const skip: Probe['skip'] = (reason) => {
    memory.excuse(covered);
    throw new CheckEnded(reason);
  };

  const add = (text: string, response?: HttpResponse, isRule = false): void => {
    const request = response && requests.get(response);
    const id = response?.headers['x-request-id'] ?? 'unknown';
    problems.push({ text, where: request && `${request}, request ${id}`, isRule });
  };
  const send = (request: HttpRequest, options: { maxAttempts?: number } = {}): Promise<HttpResponse> =>
    client.send(request, {
      ...options,
      signal,
      onResponse: (response) => {
        const { method = 'GET', path } = request;
        requests.set(response, `${method} ${path.split('?', 1)[0]}`);
        const found = servicePaths.includes(path)
          ? findGatewayProblems(request, response)
          : [...findProblems(contract, request, response), ...memory.note(request, response)];
        for (const problem of [...found, ...checkTestBench(response, run.isTestBench)])
          add(problem, response, true);
      },
    });
  const call: Probe['call'] = (request) => send(request);
  const expect: Probe['expect'] = async (pending, status, code, ...paths) => {
    const response = await pending;
    const isOther = response.status !== status || (code ?? response.code) !== response.code;
    // If there is no response, a problem has already been recorded.
    if (isOther && response.failure === undefined)
      add(`${formatStatus(response)} instead of ${[status, code].filter(Boolean).join(' ')}`, response);
    for (const path of findUnnamed(response, paths)) add(`no detail with the path ${path}`, response);
    if (isOther && status < 400) throw new CheckEnded();
    return response;
  };
  const probe: Probe = {
    contract,
    undos,
    servicePaths,
    call,
    callOnce: (request) => send(request, { maxAttempts: 1 }),
    auth: (kind) => createAuthClient(url, kind, call),
    check: (holds, problem, response) => {
      if (!holds) add(problem, response);
    },
    expect,
    covers: (ids) => covered.push(ids),
    skip,
    getOrigin: () => origin ?? skip('give --origin'),
    readCode: readCode ?? (() => skip('nobody can read the mail: give --inbox, or run it on a terminal')),
  };
  return { probe, problems };
};

/**
 * Formats the problems in one line, without control characters and tokens, which an unexpected response may
 * contain.
 */
export const formatProblems = (problems: readonly Problem[]): string => {
  const groups = [...Map.groupBy(problems, ({ text }) => text)];
  const texts = groups.slice(0, MAX_PROBLEMS).map(([text, [first, ...others]]) => {
    if (first?.where === undefined) return text;
    return `${text} [${first.where}${others.length > 0 ? `; in ${others.length} more responses` : ''}]`;
  });
  const hidden = groups.length - MAX_PROBLEMS;
  return [...texts, ...(hidden > 0 ? [`and ${hidden} more`] : [])]
    .join('; ')
    .replace(/\beyJ[\w-]+\.[\w.-]+/g, '<token>')
    .replace(/[\s\p{Cc}]+/gu, ' ');
};
