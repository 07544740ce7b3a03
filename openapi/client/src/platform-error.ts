import type { components } from '../../types/auth.ts';
import type { components as InternalComponents } from '../../types/internal.ts';
import { rememberEntityTag } from './entity-tags.ts';
import type { SecondFactor } from './named-types.ts';
import type { Known } from './operation-types.ts';

type ErrorBody = components['schemas']['ErrorResponse'];

/**
 * The codes of the OpenAPI documents, three for responses that the platform did not send, and four for
 * passkeys. The type is closed, unlike that of the documents, so that a mistyped code does not compile.
 */
export type ErrorCode =
  | Known<components['schemas']['ErrorCode']>
  | PasskeyErrorCode
  /** There was no response: no network, no gateway, or a timeout. */
  | 'GATEWAY_UNREACHABLE'
  /** The gateway's `CORS_ORIGINS` does not contain the origin of the page. */
  | 'ORIGIN_REFUSED'
  /**
   * The response has another format, for example of a captive portal, a proxy's error page or a wrong URL.
   */
  | 'ANSWER_UNREADABLE';

/** Why the browser did not return a passkey. */
export type PasskeyErrorCode =
  /** The user cancelled, did not confirm in time, or has no passkey here; browsers do not say which. */
  | 'PASSKEY_CANCELLED'
  /** Another passkey call of the page replaced this one. */
  | 'PASSKEY_ABORTED'
  /** The authenticator already has a passkey of this account. */
  | 'PASSKEY_EXISTS'
  /**
   * The browser, the authenticator or the page's address does not support passkeys; the message names the
   * cause.
   */
  | 'PASSKEY_UNAVAILABLE';

/** The codes of the internal operations, for other services of the marketplace. */
export type ServiceErrorCode =
  | Known<InternalComponents['schemas']['ErrorCode']>
  /** There was no response from auth-service or admin-service, or a timeout. */
  | 'SERVICE_UNREACHABLE'
  | 'ANSWER_UNREADABLE';

type AnyCode = ErrorCode | ServiceErrorCode;

type OfSecondStep<Code extends AnyCode, Value> = Code extends 'SECOND_FACTOR_REQUIRED' ? Value : undefined;
type OfMissingFactor<Code extends AnyCode, Value> = Code extends 'SECOND_FACTOR_REQUIRED' | 'FACTOR_REQUIRED'
  ? Value
  : undefined;

type OfExistingAccount<Code extends AnyCode, Value> = Code extends 'ACCOUNT_EXISTS' ? Value : undefined;

type ErrorFields = {
  /** The HTTP status; 0 if there was no response. */
  status: number;
  details: readonly components['schemas']['ErrorDetail'][];
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
  challenge: string | undefined;
  factors: readonly SecondFactor[] | undefined;
  email: string | undefined;
};

/** A failed call. Handle it by `code`; the message is for developers. */
export class PlatformError<Code extends AnyCode = ErrorCode> extends Error {
  override readonly name = 'PlatformError';
  readonly code: Code;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** The invalid fields of VALIDATION_FAILED. */
  readonly details: ErrorFields['details'];
  /**
   * Identifies the request in the platform's logs and audit records. Without a response, that of a request
   * that may have changed something.
   */
  readonly requestId: string | undefined;
  /** The seconds of the Retry-After header. */
  readonly retryAfterSeconds: number | undefined;
  /** Only for SECOND_FACTOR_REQUIRED: identifies the sign-in for 300 s. */
  readonly challenge: OfSecondStep<Code, string>;
  /** Only for SECOND_FACTOR_REQUIRED and FACTOR_REQUIRED: the factors of which one must be sent. */
  readonly factors: OfMissingFactor<Code, readonly SecondFactor[]>;
  /** Only for ACCOUNT_EXISTS: the address of the account, which the provider has verified. */
  readonly email: OfExistingAccount<Code, string>;

  constructor(code: Code, message: string, fields: Partial<ErrorFields> = {}, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = fields.status ?? 0;
    this.details = fields.details ?? [];
    this.requestId = fields.requestId;
    this.retryAfterSeconds = fields.retryAfterSeconds;
    this.challenge = fields.challenge as typeof this.challenge;
    this.factors = fields.factors as typeof this.factors;
    this.email = fields.email as typeof this.email;
  }
}

/** A failed refresh, as a tab reports it to the others. */
export type RefreshFailure = Pick<PlatformError, 'code' | 'message' | keyof ErrorFields> & { at: number };

/** Whether the error is a PlatformError, with one of the codes if any are given. */
export const isPlatformError = <Code extends AnyCode = ErrorCode>(
  error: unknown,
  ...codes: Code[]
): error is PlatformError<Code> =>
  error instanceof PlatformError && (codes.length === 0 || codes.some((code) => code === error.code));

export const unreachable = (cause: unknown): PlatformError =>
  new PlatformError('GATEWAY_UNREACHABLE', 'No response from the gateway', {}, cause);

export const signedInAsAnother = (): PlatformError =>
  new PlatformError('TOKEN_INVALID', 'The session has ended, or another user has signed in', { status: 401 });

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

/**
 * Returns the body of a success response. @throws PlatformError unless it is JSON or the status has no
 * content
 */
export const requireSuccess = ({ ok, status, headers }: Response, text: string): unknown => {
  const body = parse(text);
  if (ok && (status === 204 || body !== undefined)) {
    rememberEntityTag(body, headers.get('ETag'));
    return body;
  }
  const requestId = headers.get('X-Request-Id') ?? undefined;
  const fields = { status, requestId, retryAfterSeconds: parseSeconds(headers.get('Retry-After')) };
  if (ok || !isErrorBody(body))
    throw new PlatformError(
      'ANSWER_UNREADABLE',
      `The response (${status}) does not have the platform's format`,
      fields,
    );
  // A later release may have codes that this one does not know.
  throw new PlatformError(body.code as ErrorCode, body.message, { ...fields, ...body });
};
