import { type AccountKind, type AuthClient, createAuthClient } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import type { ReadCode } from './code-source.ts';
import type { Contract } from './contract.ts';
import type { Memory } from './memory.ts';
import type { PacedClient } from './paced-client.ts';
import { findGatewayProblems, findProblems } from './response-rules.ts';

/** One line of the output for each, by its name. */
export type Checks = Record<string, (probe: Probe) => Promise<unknown>>;
/** The checks are listed when the section starts, so they can depend on the sections before. */
export type Section = { title: string; checks: () => readonly Checks[] };

/** What the checks of a run share. */
export type Run = {
  url: string;
  contract: Contract;
  client: PacedClient;
  memory: Memory;
  /** Undo the changes of the deployment that are left when the run ends, the newest first. */
  undos: Map<string, Checks[string]>;
  origin: string | undefined;
  /** Of other services. */
  servicePaths: readonly string[];
  /** Undefined if nobody can read the mails. */
  readCode: ReadCode | undefined;
  /** Ends the run; what has changed is still undone. */
  signal: AbortSignal | undefined;
};

/** Sends the requests of one check, and collects what is wrong with the responses. */
export type Probe = Pick<Run, 'contract' | 'undos' | 'servicePaths'> & {
  /** Compares the response with the documents, and with earlier ones; that of another service, with what the gateway adds. */
  call: (request: HttpRequest) => Promise<HttpResponse>;
  /** The routes of a kind of account, with the same comparison. */
  auth: (kind: AccountKind) => AuthClient;
  /** Records a problem unless the condition holds. */
  check: (holds: boolean, problem: string, response?: HttpResponse) => void;
  /** An error that names exactly these `paths` in its details has at least these. A missing success ends the check. */
  expect: (
    response: HttpResponse | Promise<HttpResponse>,
    status: number,
    code?: string,
    ...paths: string[]
  ) => Promise<HttpResponse>;
  /** Operations that no other check tries need no success if this one is skipped. */
  covers: (ids: RegExp) => void;
  /** Ends the check without a result. */
  skip: (reason: string) => never;
  /** That of a frontend; skips the check without one. */
  getOrigin: () => string;
  readCode: ReadCode;
};

const MAX_PROBLEMS = 5;

/** Ends a check that cannot run here, or not any further. */
export class CheckEnded extends Error {}

/** `where` is the request, with its id. */
type Problem = { text: string; where: string | undefined };

const skip: Probe['skip'] = (reason) => {
  throw new CheckEnded(reason);
};

export const createProbe = (run: Run) => {
  const { url, contract, client, memory, undos, origin, servicePaths, readCode, signal } = run;
  const problems: Problem[] = [];
  const covered: RegExp[] = [];
  const requests = new WeakMap<HttpResponse, string>();

  const add = (text: string, response?: HttpResponse): void => {
    const request = response && requests.get(response);
    const id = response?.headers['x-request-id'] ?? 'unknown';
    problems.push({ text, where: request && `${request}, request ${id}` });
  };
  const call = (request: HttpRequest): Promise<HttpResponse> =>
    client.send(request, {
      signal,
      onResponse: (response) => {
        const { method = 'GET', path } = request;
        requests.set(response, `${method} ${path.split('?', 1)[0]}`);
        const found = servicePaths.includes(path)
          ? findGatewayProblems(request, response)
          : [...findProblems(contract, request, response), ...memory.note(request, response)];
        for (const problem of found) add(problem, response);
      },
    });
  const expect: Probe['expect'] = async (pending, status, code, ...paths) => {
    const response = await pending;
    const isOther = response.status !== status || (code ?? response.code) !== response.code;
    // Without a response, there is a problem already.
    if (isOther && response.failure === undefined)
      add(`${formatStatus(response)} instead of ${[status, code].filter(Boolean).join(' ')}`, response);
    const named = new Set((response.body?.details ?? []).map((detail: { path?: string }) => detail.path));
    for (const path of paths) if (!named.has(path)) add(`no detail with the path ${path}`, response);
    if (isOther && status < 400) throw new CheckEnded();
    return response;
  };
  const probe: Probe = {
    contract,
    undos,
    servicePaths,
    call,
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
  return { probe, problems, covered };
};

/** The problems in one line, without control characters and tokens, which an unexpected response may contain. */
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
