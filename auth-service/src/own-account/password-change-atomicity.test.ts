import type { AuthClient } from '@platform/shared/testing/auth-client';
import { PASSWORD } from '@platform/shared/testing/builders';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { withFailing } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from '../../testing/auth-service.ts';

const NEW_PASSWORD = 'A better horse 2';

/** If any step fails, the transaction rolls back the others. */
const STEPS: [name: string, operation: 'insert' | 'update' | 'delete', table: string][] = [
  ['the new password', 'update', 'users'],
  ['the end of the other sessions', 'delete', 'token_records'],
  ['the notification', 'insert', 'mail_outbox'],
  ['the audit record', 'insert', 'audit_records'],
];

describe('password change transaction', () => {
  const service = useAuthService();

  const CAUSES: [
    string,
    (client: AuthClient) => Promise<{ email: string; change: () => Promise<HttpResponse> }>,
  ][] = [
    [
      'by the signed-in user',
      async (client) => {
        const { account, device } = await client.createAccountAndDevice();
        const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD };
        return { email: account.email, change: () => client.resetPasswordMe({ ...device, body }) };
      },
    ],
    [
      'by e-mailed code',
      async (client) => {
        const { email } = await client.createAccount();
        const code = await service().as(client.kind).requestResetCode(email);
        const body = { email, code, newPassword: NEW_PASSWORD };
        return { email, change: () => client.resetPasswordEmailCode({ body }) };
      },
    ],
  ];

  for (const [cause, begin] of CAUSES)
    describe(cause, () => {
      const client = () => service().as('customer');

      for (const [name, operation, table] of STEPS)
        it(`changes neither password, sessions, outbox nor audit log when ${name} cannot be stored`, async () => {
          const { email, change } = await begin(client());
          const other = await client().openDevice({ email, password: PASSWORD });
          await withFailing(service().databaseUrl, operation, table, async () => {
            expectError(await change(), 500, 'INTERNAL_ERROR');
          });
          const still = await client().expectSignedIn(other);
          expect((await client().verificationEmailCheck(still)).body).to.deep.equal({ verified: false });
          expect(await service().mails.outboxFor(email)).to.deep.equal([]);
          await client().openDevice({ email, password: PASSWORD });
          await client().expectNoSignIn({ email, password: NEW_PASSWORD });
        });
    });
});
