import { formatStatus } from '@platform/shared/testing/http-client';
import { expect } from 'chai';
import { useServices } from '../../testing/services.ts';
import { CODE_RULES } from './code-rules.ts';
import { GUESS_RULES } from './guess-rules.ts';
import { LIMIT_RULES } from './limit-rules.ts';
import { RESEND_RULES } from './resend-rules.ts';
import { createWorld, type Rule } from './rule.ts';
import { SECOND_STEP_RULES } from './second-step-rules.ts';
import { TOKEN_RULES } from './token-rules.ts';

const RULES = [
  ...TOKEN_RULES,
  ...CODE_RULES,
  ...RESEND_RULES,
  ...SECOND_STEP_RULES,
  ...GUESS_RULES,
  ...LIMIT_RULES,
];

describe('rule of time of an account', () => {
  const services = useServices();

  /** The outcome for a new person, so many seconds after the preparation. */
  const findOutcome = async ({ prepare }: Rule, seconds: number): Promise<string> => {
    const world = createWorld(services());
    const { id, ask } = await prepare(world);
    await world.passTime(id, seconds);
    const outcome = await ask();
    return typeof outcome === 'string' ? outcome : formatStatus(outcome);
  };

  for (const rule of RULES)
    it(rule.name, async () => {
      const { limit, margin = 10, before, after } = rule;
      expect(await findOutcome(rule, limit - margin), 'before').to.equal(before);
      expect(await findOutcome(rule, limit + 1), 'after').to.equal(after);
    });
});
