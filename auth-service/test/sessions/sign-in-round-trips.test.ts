import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import pg from 'pg';
import { useAuthService } from '../auth-service.ts';
import { attemptSignIn } from '../guess-limits/sign-in-attempts.ts';

type Statement = { text?: string; name?: string } | string;

describe('round trips of a sign-in', () => {
  const sent: string[] = [];
  const original = pg.Client.prototype.query;
  // Before the service, which runs in this process, connects.
  before('record statements', () => {
    pg.Client.prototype.query = function (this: pg.Client, statement: Statement, ...rest: unknown[]) {
      const { text = '', name = text } = typeof statement === 'string' ? { text: statement } : statement;
      sent.push(name);
      return Reflect.apply(original, this, [statement, ...rest]);
    } as typeof original;
  });
  after('stop recording', () => {
    pg.Client.prototype.query = original;
  });
  const service = useAuthService({ REDIS_URL: 'redis://127.0.0.1:1' });

  it('are seven to Postgres, all but the transaction by name, and none to Redis', async () => {
    const account = await service().client(CUSTOMER).createAccount();
    const fingerprint = uniqueFingerprint();
    for (const _ of [1, 2]) {
      sent.length = 0;
      expect((await attemptSignIn(service(), CUSTOMER, { ...account, fingerprint })).status).to.equal(200);
    }
    expect(sent).to.deep.equal([
      'account-by-email-customer',
      'begin-guess',
      'clear-guess',
      'BEGIN;',
      'lock-unchanged-user',
      'open-session',
      'COMMIT;',
    ]);
  });
});
