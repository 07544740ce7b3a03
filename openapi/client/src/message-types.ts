import type { ErrorCode } from './platform-error.ts';

/** The values of `rule` in the details of VALIDATION_FAILED. */
type ErrorRule =
  | 'required'
  | 'type'
  | 'enum'
  | 'format'
  | 'pattern'
  | 'minLength'
  | 'maxLength'
  | 'minimum'
  | 'maximum'
  | 'maxItems'
  | 'const'
  | 'additionalProperties'
  | 'max-bytes'
  | 'blank'
  | 'empty'
  | 'not-null'
  | 'unstorable'
  | 'too-deep'
  | 'not-finite'
  | 'common-password'
  | 'password-is-email'
  | 'breached-password'
  | 'one-factor'
  | 'email-unchanged'
  | 'cursor';

/** A missing code or rule does not compile. `{name}` is a parameter of the rule, or the seconds to wait. */
export type Messages = { codes: Record<ErrorCode, string>; rules: Record<ErrorRule, string> };
