import { randomUUID } from 'node:crypto';
import { connectDatabase, type DatabasePool } from '@platform/shared/db/database';
import { CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { createTokenKeys, verifyToken } from '@platform/shared/tokens/tokens';
import { expect } from 'chai';
import { hashRefreshJti, nextRefreshJti } from '../../src/sessions/refresh-token-id.ts';
import { createTokenRotation, type RotateTokens } from '../../src/sessions/token-rotation-store.ts';
import { SECRETS, useAuthService } from '../auth-service.ts';

const KEYS = createTokenKeys({ current: SECRETS.customerRefresh, previous: [] });

describe('refreshes in one turn of the event loop', () => {
  const service = useAuthService();
  const client = () => service().client(CUSTOMER);
  const openDevice = async () => client().createDevice();
  let pool: DatabasePool;
  let statements: string[];
  let rotateTokens: RotateTokens;

  before('connect', () => {
    pool = connectDatabase({
      url: service().databaseUrl,
      applicationName: 'test',
      maxConnections: 4,
      onError: () => undefined,
    });
  });
  beforeEach('record the statements', () => {
    statements = [];
    pool.database
      .removeAllListeners('query')
      .on('query', ({ options }: { options: { name: string } }) => statements.push(options.name));
    rotateTokens = createTokenRotation(pool.database, undefined);
  });
  after('disconnect', () => pool.close());

  const rotate = ({ refreshToken, fingerprint, sessionId }: Device) => {
    const { jti = '', userId = '' } = verifyToken(refreshToken, KEYS) ?? {};
    const currentId = hashRefreshJti(jti);
    const end = new Date(Date.now() + 60_000);
    return rotateTokens('customer', {
      presentedId: currentId,
      currentId,
      userId,
      fingerprint,
      sessionId,
      accessTokenId: randomUUID(),
      accessTokenExpiredAt: end,
      refreshTokenId: hashRefreshJti(nextRefreshJti(jti)),
      refreshTokenExpiredAt: end,
    });
  };

  it('share one statement, and each gets its own session', async () => {
    const devices = [await openDevice(), await openDevice(), await openDevice()];
    const rotated = await Promise.all(devices.map(rotate));
    expect(rotated.map((result) => result?.sessionId)).to.deep.equal(
      devices.map(({ sessionId }) => sessionId),
    );
    expect(statements).to.deep.equal(['rotate-tokens-customer']);
  });

  it('rotate a token once, however often it is in the batch', async () => {
    const device = await openDevice();
    const rotated = await Promise.all([device, device, device].map(rotate));
    expect(rotated.filter((result) => result !== undefined)).to.have.length(1);
    expect(await rotate(device)).to.equal(undefined);
  });

  it('ignore a refresh of another device', async () => {
    const [device, other] = [await openDevice(), await openDevice()];
    const rotated = await Promise.all([
      rotate({ ...device, fingerprint: other.fingerprint }),
      rotate({ ...device, sessionId: other.sessionId }),
      rotate(other),
    ]);
    expect(rotated.map((result) => result?.sessionId)).to.deep.equal([undefined, undefined, other.sessionId]);
    expect(await rotate(device)).to.include({ sessionId: device.sessionId });
  });

  it('do not wait for one whose token record is locked', async () => {
    const [locked, free] = [await openDevice(), await openDevice()];
    const lock = await holdLock(
      service().databaseUrl,
      'select 1 from token_records where id = (select token_id from sessions where id = $1) for update',
      [locked.sessionId],
    );
    const waiting = rotate(locked);
    expect(await rotate(free)).to.include({ sessionId: free.sessionId });
    await lock.releaseWhenWaiting(1);
    expect(await waiting).to.include({ sessionId: locked.sessionId });
    expect(statements).to.deep.equal(['rotate-tokens-customer', 'rotate-locked-token-customer']);
  });
});
