import type { components } from '../../types/auth.ts';

type ErrorBody = components['schemas']['Error'];

/** Those of the OpenAPI documents, and two for an answer that the platform did not give. */
export type ErrorCode =
  | components['schemas']['ErrorCode']
  /** No answer: no network, no gateway, a foreign origin, or the time was up. */
  | 'GATEWAY_UNREACHABLE'
  /** An answer in no form of the platform's: a captive portal, a proxy's own page, a wrong address. */
  | 'ANSWER_UNREADABLE';

type Facts = {
  /** The HTTP status; 0 when there was no answer. */
  status: number;
  details: readonly components['schemas']['ErrorDetail'][];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
};

/** Why a call failed. Decide by `code`; the message is for developers. */
export class PlatformError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PlatformError';
  readonly code: Code;
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** With VALIDATION_FAILED, the fields concerned. */
  readonly details: Facts['details'];
  /** Names the request in the platform's logs. */
  readonly requestId: string | undefined;
  /** How long to wait before the next try, where the platform says so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, facts: Partial<Facts> = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.details = facts.details ?? [];
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** Whether a call failed, and for one of these codes if any are given. */
export const isPlatformError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PlatformError<Code> =>
  error instanceof PlatformError && (codes.length === 0 || codes.some((code) => code === error.code));

export const unreachable = (cause: unknown): PlatformError =>
  new PlatformError('GATEWAY_UNREACHABLE', 'The gateway did not answer', {}, cause);

const secondsIn = (header: string | null): number | undefined =>
  header !== null && /^\d+$/.test(header) ? Number(header) : undefined;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isErrorBody = (body: unknown): body is ErrorBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'message' in body &&
  typeof body.message === 'string';

/** @throws PlatformError unless the answer is a success in the platform's form. */
export const requireSuccess = ({ ok, status, headers }: Response, text: string): void => {
  const body = parse(text);
  if (ok && (status === 204 || body !== undefined)) return;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const facts = { status, requestId, retryAfterSeconds: secondsIn(headers.get('Retry-After')) };
  if (ok || !isErrorBody(body))
    throw new PlatformError('ANSWER_UNREADABLE', `The answer (${status}) is not the platform's`, facts);
  const { code, message, details = [] } = body;
  throw new PlatformError(code, message, { ...facts, requestId: body.requestId, details });
};
