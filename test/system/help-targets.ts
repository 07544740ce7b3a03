import { randomUUID } from 'node:crypto';
import { addSecondFactor } from '@platform/shared/testing/second-factors';
import { linkIdentity } from './provider-targets.ts';
import type { Context, CreateTarget } from './route-target.ts';

const createCustomer = async ({ records }: Context) => (await records.user(['CUSTOMER'])).id;
const createSecuredCustomer = async (context: Context) => {
  const id = await createCustomer(context);
  await addSecondFactor(context.records, id);
  return id;
};

/** Users with what an ADMIN takes away to help somebody who cannot sign in. */
export const HELP_TARGETS: Record<string, CreateTarget> = {
  removeTotpOfUser: async (context) => ({ path: { id: await createSecuredCustomer(context) } }),
  removePasskeyOfUser: async (context) => {
    const id = await createSecuredCustomer(context);
    const text = 'select id from passkeys where user_id = $1';
    const [passkey] = await context.records.query<{ id: string }>(text, [id]);
    return { path: { id, passkeyId: passkey?.id ?? '' } };
  },
  unlinkIdentityOfUser: async (context) => {
    const id = await createCustomer(context);
    return { path: { id, identityId: await linkIdentity(context, id, randomUUID()) } };
  },
  endPauseOfUser: async (context) => {
    const id = await createCustomer(context);
    await context.records.query(
      `insert into failed_guesses (subject, secret, scope, failures, waits_until, expires_at)
       values ($1, 'password', 'account', 100, now() + interval '1 hour', 'infinity')`,
      [id],
    );
    return { path: { id, secret: 'password' } };
  },
};
