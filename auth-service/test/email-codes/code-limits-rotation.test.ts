import { type AuthClient, CUSTOMER, createAuthClient } from '@platform/shared/testing/auth-client';
import { expectError } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { composeAuthService, type RunningAuthService } from '../auth-service.ts';
import { CODE_SECRET, type RunningCodeService, startCodeService } from '../code-service.ts';

const NEXT_SECRET = 'the-next-code-secret-of-the-tests-00000002';

describe('limit of sent codes during a rotation of CODE_SECRET_KEY', () => {
  /** With the first secret only. */
  let original: RunningCodeService;
  /** With the first secret, and the next as previous. */
  let prepared: RunningAuthService;
  /** With the next secret, and the first as previous. */
  let rotated: RunningAuthService;

  before('start an instance for each step of the rotation', async () => {
    original = await startCodeService();
    const { databaseUrl, environment } = original;
    const start = (secret: string, previous: string) =>
      composeAuthService(databaseUrl, {
        ...environment,
        CODE_SECRET_KEY: secret,
        CODE_SECRET_KEY_PREVIOUS: previous,
      });
    prepared = await start(CODE_SECRET, NEXT_SECRET);
    rotated = await start(NEXT_SECRET, CODE_SECRET);
  });
  after('stop them', async () => {
    for (const service of [prepared, rotated, original]) await service?.stop();
  });

  const clientOf = ({ url }: { url: string }): AuthClient => createAuthClient(url, CUSTOMER);
  const sendAt = async (service: { url: string }, email: string): Promise<void> => {
    const { status, text } = await clientOf(service).sendResetCode({ email });
    expect(status, text).to.equal(200);
    await original.redis.passTime(120);
  };
  it('counts each sent code once, under either secret', async () => {
    const { email } = await clientOf(original).createAccount();
    for (const service of [original, prepared, rotated, prepared, rotated])
      for (let round = 0; round < 2; round += 1) await sendAt(service, email);
    for (const service of [prepared, rotated])
      expectError(await clientOf(service).sendResetCode({ email }), 429, 'RESEND_LOCKED');
  });
});
