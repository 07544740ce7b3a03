import type { components } from '../../types/auth.ts';
import type { ErrorCode } from './platform-error.ts';

type ErrorRule = components['schemas']['ErrorRule'];

/**
 * A missing code or rule does not compile. `{name}` is a parameter of the rule; `{seconds}` is the time to
 * wait, such as `2 minutes`.
 */
export type Messages = { codes: Record<ErrorCode, string>; rules: Record<ErrorRule, string> };
