import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { countSessions } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

describe('Sign-out', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`of ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const signedIn = async () => client().openDevice(await client().createAccount());

      it('answers 204 without a body and clears the cookie with the attributes it was set with', async () => {
        const answer = await client().signOut(await signedIn());
        expect(answer.status).to.equal(204);
        expect(answer.text).to.equal('');
        const [cookie, ...others] = parseSetCookies(answer);
        expect(others).to.deep.equal([]);
        expect(cookie).to.deep.equal({
          name: kind.refreshCookie,
          value: '',
          attributes: {
            path: '/',
            expires: 'Thu, 01 Jan 1970 00:00:00 GMT',
            httponly: true,
            secure: true,
            samesite: 'None',
          },
        });
      });

      it('ends both tokens at once', async () => {
        const device = await signedIn();
        await client().signOut(device);
        expectError(await client().me(device), 401, 'TOKEN_INVALID');
        expectError(await client().signOut(device), 401, 'TOKEN_INVALID');
        const answer = await client().refresh(device);
        expectError(answer, 401, 'TOKEN_INVALID');
        expect(answer.headers).not.to.have.property('set-cookie');
      });

      it('ends refresh tokens of before as well, and knows no reuse any more', async () => {
        const first = await signedIn();
        const second = await client().refreshed(first);
        await client().signOut(second);
        for (const device of [first, second])
          expectError(await client().refresh(device), 401, 'TOKEN_INVALID');
      });

      it('removes the token record and keeps the session', async () => {
        const account = await client().createAccount();
        await client().signOut(await client().openDevice(account));
        expect(await countSessions(service().databaseUrl, account.userId)).to.deep.equal({
          sessions: 1,
          tokenRecords: 0,
        });
      });

      it('works without X-Session-Id', async () => {
        const device = await signedIn();
        expect((await client().signOut(device, { 'X-Session-Id': undefined })).status).to.equal(204);
      });

      it('ends nothing for another fingerprint or session', async () => {
        const device = await signedIn();
        const elsewhere = [
          { 'X-Fingerprint': 'unknown' },
          { 'X-Session-Id': '11111111-1111-4111-8111-111111111111' },
        ];
        for (const headers of elsewhere) {
          const answer = await client().signOut(device, headers);
          expectError(answer, 401, 'SESSION_NOT_FOUND');
          expect(answer.headers).not.to.have.property('set-cookie');
        }
        await client().refreshed(device);
      });

      it('ends nothing for a request that breaks the contract', async () => {
        const device = await signedIn();
        const withoutDevice = await client().signOut(device, { 'X-Fingerprint': undefined });
        expectError(withoutDevice, 400, 'VALIDATION_FAILED', '/headers/x-fingerprint');
        const malformed = await client().signOut(device, { 'X-Session-Id': 'mine' });
        expectError(malformed, 400, 'VALIDATION_FAILED', '/headers/x-session-id');
        expect((await client().me(device)).status).to.equal(200);
      });

      it('of two at once answers one or both, and leaves the device signed out', async () => {
        const device = await signedIn();
        const answers = await Promise.all([client().signOut(device), client().signOut(device)]);
        expect(answers.map(({ status }) => status)).to.include(204);
        for (const { status } of answers) expect(status).to.be.oneOf([204, 401]);
        expectError(await client().me(device), 401, 'TOKEN_INVALID');
      });
    });
});
