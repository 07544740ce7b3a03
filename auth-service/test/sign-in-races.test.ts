import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

const changes = [
  ['the user is blocked', 'is_blocked = true', 'USER_BLOCKED'],
  ['the password is changed', "password_hash = 'another'", 'INVALID_CREDENTIALS'],
] as const;

describe('While a password is being checked', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    for (const [what, change, code] of changes)
      it(`When ${what}, then one of the ${kind.plural} is not signed in`, async () => {
        const client = service().client(kind);
        const { email, password, userId } = await client.createAccount();
        const text = `update users set ${change} where id = $1`;
        const lock = await holdLock(service().databaseUrl, text, [userId]);
        const signIn = client.signIn({ email, password }, 'device');
        // The password has proved right against what was stored before; the change comes in now.
        await lock.untilWaiting(1);
        await lock.commit();

        expectError(await signIn, 401, code);
        expect(await countSessions(service().databaseUrl, userId)).to.deep.equal({
          sessions: 0,
          tokenRecords: 0,
        });
      });
});
