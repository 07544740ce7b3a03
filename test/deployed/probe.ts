import { type AccountKind, type AuthClient, createAuthClient } from '@platform/shared/testing/auth-client';
import { formatStatus, type HttpRequest, type HttpResponse } from '@platform/shared/testing/http-client';
import type { Contract } from './contract.ts';
import type { Memory } from './memory.ts';
import type { PacedClient } from './paced-client.ts';
import { findProblems } from './response-rules.ts';

/** One line of the output. */
export type Check = {
  name: string;
  /** The ids of the operations that no other check tries. */
  operations?: RegExp;
  run: (probe: Probe) => Promise<void>;
};
/** The checks are listed when the section starts, so they can depend on the sections before. */
export type Section = { title: string; checks: () => readonly Check[] };

/** Sends the requests of one check, and collects what is wrong with the responses. */
export type Probe = {
  /** Compares the response with the documents. */
  call: (request: HttpRequest) => Promise<HttpResponse>;
  /** The routes of a kind of account; each response is compared with the documents. */
  auth: (kind: AccountKind) => AuthClient;
  /** Records a problem unless the condition holds. */
  check: (holds: boolean, problem: string, response?: HttpResponse) => void;
  /** An error that names exactly these `paths` in its details has at least these. */
  expect: (response: HttpResponse, status: number, code?: string, ...paths: string[]) => void;
  /** Ends the check without a result. */
  skip: (reason: string) => never;
};

const MAX_PROBLEMS = 5;

/** Ends a check that cannot run here. */
export class CheckSkipped extends Error {}

type ProbeOptions = {
  url: string;
  contract: Contract;
  client: PacedClient;
  memory: Memory;
  /** Ends the check. */
  signal: AbortSignal | undefined;
};

/** `where` is the request, with its id. */
type Problem = { text: string; where: string | undefined };

const nameRequest = ({ method = 'GET', path }: HttpRequest): string => `${method} ${path.split('?', 1)[0]}`;

export const createProbe = ({ url, contract, client, memory, signal }: ProbeOptions) => {
  const problems: Problem[] = [];
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
        requests.set(response, nameRequest(request));
        const problems = [...findProblems(contract, request, response), ...memory.note(request, response)];
        for (const problem of problems) add(problem, response);
      },
    });
  const expect: Probe['expect'] = (response, status, code, ...paths) => {
    const { body } = response;
    if (response.failure !== undefined) return;
    if (response.status !== status || (code !== undefined && response.code !== code))
      add(`${formatStatus(response)} instead of ${status}${code === undefined ? '' : ` ${code}`}`, response);
    const named = new Set((body?.details ?? []).map((detail: { path?: string }) => detail.path));
    for (const path of paths) if (!named.has(path)) add(`no detail with the path ${path}`, response);
  };
  const probe: Probe = {
    call,
    expect,
    auth: (kind) => createAuthClient(url, kind, call),
    check: (holds, problem, response) => {
      if (!holds) add(problem, response);
    },
    skip: (reason) => {
      throw new CheckSkipped(reason);
    },
  };
  return { probe, problems };
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
