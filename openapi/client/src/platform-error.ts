import type { components } from '../../types/auth.ts';

type ErrorBody = components['schemas']['ErrorResponse'];

/** The codes of the OpenAPI documents, and three for responses that the platform did not send. */
export type ErrorCode =
  | components['schemas']['ErrorCode']
  /** No response: no network, no gateway, or a timeout. */
  | 'GATEWAY_UNREACHABLE'
  /** The gateway's `CORS_ORIGINS` does not contain the origin of the page. */
  | 'ORIGIN_REFUSED'
  /** The response has another format: a captive portal, a proxy's error page or a wrong URL. */
  | 'ANSWER_UNREADABLE';

type ErrorFields = {
  /** The HTTP status; 0 without a response. */
  status: number;
  details: readonly components['schemas']['ErrorDetail'][];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
};

/** A failed call. Handle it by `code`; the message is for developers. */
export class PlatformError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'PlatformError';
  readonly code: Code;
  /** The HTTP status; 0 without a response. */
  readonly status: number;
  /** The invalid fields of VALIDATION_FAILED. */
  readonly details: ErrorFields['details'];
  /** Identifies the request in the platform's logs. */
  readonly requestId: string | undefined;
  /** From the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: Code, message: string, fields: Partial<ErrorFields> = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = fields.status ?? 0;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
  }
}

/** Whether the error is a PlatformError, with one of the codes if any are given. */
export const isPlatformError = <Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PlatformError<Code> =>
  error instanceof PlatformError && (codes.length === 0 || codes.some((code) => code === error.code));

export const unreachable = (cause: unknown): PlatformError =>
  new PlatformError('GATEWAY_UNREACHABLE', 'No response from the gateway', {}, cause);

const parseSeconds = (header: string | null): number | undefined =>
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

/** @throws PlatformError unless the response is a success with JSON or without content */
export const requireSuccess = ({ ok, status, headers }: Response, text: string): void => {
  const body = parse(text);
  if (ok && (status === 204 || body !== undefined)) return;
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const fields = { status, requestId, retryAfterSeconds: parseSeconds(headers.get('Retry-After')) };
  if (ok || !isErrorBody(body))
    throw new PlatformError(
      'ANSWER_UNREADABLE',
      `The response (${status}) does not have the platform's format`,
      fields,
    );
  const { code, message, details = [] } = body;
  throw new PlatformError(code, message, { ...fields, requestId: body.requestId, details });
};
