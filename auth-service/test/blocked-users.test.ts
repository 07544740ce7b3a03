import { ACCOUNT_KINDS } from '@platform/shared/testing/auth-client';
import { WRONG_PASSWORD } from '@platform/shared/testing/builders';
import { setBlocked } from '@platform/shared/testing/query-database';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

describe('A blocked user', () => {
  const service = useAuthService();

  for (const kind of ACCOUNT_KINDS)
    describe(`among the ${kind.plural}`, () => {
      const client = () => service().client(kind);
      const block = (userId: string) => setBlocked(service().databaseUrl, userId, true);
      const unblock = (userId: string) => setBlocked(service().databaseUrl, userId, false);
      const blocked = async () => {
        const account = await client().createAccount();
        const device = await client().openDevice(account);
        await block(account.userId);
        return { account, device };
      };

      it('is refused at once with the access token, on every route that takes it', async () => {
        const { device } = await blocked();
        for (const call of [client().me, client().signOut, client().universalMe]) {
          const answer = await call(device);
          expectError(answer, 401, 'USER_BLOCKED');
          expect(answer.headers['www-authenticate']).to.equal('Bearer');
        }
      });

      it('is refused with the refresh token, which is neither used up nor taken from the browser', async () => {
        const { device } = await blocked();
        const answer = await client().refresh(device);
        expectError(answer, 401, 'USER_BLOCKED');
        expect(answer.headers).not.to.have.property('set-cookie');
      });

      it('cannot sign in, and learns of the block only with the right password', async () => {
        const { account } = await blocked();
        const { email, password } = account;
        const answer = await client().signIn({ email, password }, 'device');
        expectError(answer, 401, 'USER_BLOCKED');
        expect(answer.headers).not.to.have.property('set-cookie');
        const wrong = await client().signIn({ email, password: WRONG_PASSWORD }, 'device');
        expectError(wrong, 401, 'INVALID_CREDENTIALS');
      });

      it('finds all tokens working again after an unblock', async () => {
        const { account, device } = await blocked();
        const other = await (async () => {
          await unblock(account.userId);
          const opened = await client().openDevice(account);
          await block(account.userId);
          return opened;
        })();
        for (const one of [device, other]) expectError(await client().me(one), 401, 'USER_BLOCKED');
        await unblock(account.userId);
        for (const one of [device, other]) {
          expect((await client().me(one)).status).to.equal(200);
          await client().refreshed(one);
        }
      });

      it('does not lose the session to a refused sign-in from the same device', async () => {
        const { account, device } = await blocked();
        await client().signIn({ email: account.email, password: account.password }, device.fingerprint);
        await unblock(account.userId);
        expect((await client().me(device)).status).to.equal(200);
      });

      it('does not have the session revoked by an old refresh token', async () => {
        const account = await client().createAccount();
        const first = await client().openDevice(account);
        const third = await client().refreshed(await client().refreshed(first));
        await block(account.userId);
        expectError(await client().refresh(first), 401, 'USER_BLOCKED');
        await unblock(account.userId);
        await client().refreshed(third);
      });

      it('is told nothing with a token that would not be valid anyway', async () => {
        const { device } = await blocked();
        const forged = { ...device, accessToken: `${device.accessToken.slice(0, -4)}AAAA` };
        expectError(await client().me(forged), 401, 'TOKEN_INVALID');
      });

      it('does not shut out other users', async () => {
        await blocked();
        const device = await client().openDevice(await client().createAccount());
        expect((await client().me(device)).status).to.equal(200);
      });
    });
});
