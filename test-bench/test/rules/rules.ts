import { CODE_RULES } from './code-rules.ts';
import { GUESS_RULES } from './guess-rules.ts';
import { LIMIT_RULES } from './limit-rules.ts';
import { RESEND_RULES } from './resend-rules.ts';
import type { Rule } from './rule.ts';
import { SECOND_STEP_RULES } from './second-step-rules.ts';
import { TOKEN_RULES } from './token-rules.ts';

/** The rules of time of an account. */
export const RULES: readonly Rule[] = [
  ...TOKEN_RULES,
  ...CODE_RULES,
  ...RESEND_RULES,
  ...SECOND_STEP_RULES,
  ...GUESS_RULES,
  ...LIMIT_RULES,
];
