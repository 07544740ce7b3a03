// biome-ignore lint/style/noRestrictedImports: the types are packed beside this file, without the workspace.
import type { components, operations } from '../../../openapi/types/test-bench.ts';

type Schemas = components['schemas'];
export type NewPerson = Partial<Omit<Schemas['NewPerson'], 'label'>>;
export type Person = Schemas['Person'];
export type Aged = Schemas['Aged'];
export type Mail = Schemas['ReceivedMail'];
export type MailQuery = NonNullable<operations['listMails']['parameters']['query']>;
export type MailPage = Schemas['MailPage'];
export type Mailbox = Schemas['Mailbox'];
export type NewFault = Omit<Schemas['NewFault'], 'label'>;
export type FaultHits = Schemas['FaultHits'];

type ErrorBody = Partial<Pick<Schemas['ErrorResponse'], 'code' | 'message' | 'details'>>;

/** A call that the test bench has rejected. Handle it by `code`. */
export class TestBenchError extends Error {
  override readonly name = 'TestBenchError';
  readonly status: number;
  readonly code: string | undefined;
  readonly details: NonNullable<ErrorBody['details']>;

  constructor(call: string, status: number, { code, message, details = [] }: ErrorBody) {
    const lines = details.map((detail) => `\n  ${detail.path} ${detail.message}`);
    super(`${call}: ${status} ${code ?? ''} ${message ?? ''}${lines.join('')}`);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

export type Call = <Result = void>(method: string, path: string, body?: object) => Promise<Result>;

/** Calls operations of the test bench. @throws TestBenchError for every status from 400 on */
export const createCall =
  ({ url, secret }: { url: string; secret: string }): Call =>
  async <Result>(method: string, path: string, body?: object) => {
    const headers = {
      Authorization: `Bearer ${secret}`,
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const response = await fetch(url + path, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const result = parse(await response.text());
    if (!response.ok)
      throw new TestBenchError(`${method} ${path}`, response.status, (result ?? {}) as ErrorBody);
    return result as Result;
  };
