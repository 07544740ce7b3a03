import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

const CHANGES = [
  ['the user is blocked', 'is_blocked = true', 'USER_BLOCKED'],
  ['the password is changed', "password_hash = 'another'", 'INVALID_CREDENTIALS'],
] as const;

describe('sign-in races', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    for (const [name, change, code] of CHANGES)
      it(`rejects the sign-in of ${kind.plural} when ${name} during the password comparison`, async () => {
        const client = service().client(kind);
        const { email, password, userId } = await client.createAccount();
        const text = `update users set ${change} where id = $1`;
        const lock = await holdLock(service().databaseUrl, text, [userId]);
        const signIn = client.signIn({ email, password }, 'device');
        // The password has been compared with the previous hash; now the change is committed.
        await lock.untilWaiting(1);
        await lock.commit();

        expectError(await signIn, 401, code);
        expect(await countSessions(service().databaseUrl, userId)).to.deep.equal({
          sessions: 0,
          tokenRecords: 0,
        });
      });
});
