import { uniqueFingerprint } from '@platform/shared/testing/builders';
import { dumpDatabase } from '@platform/shared/testing/query-database';
import { dumpRedis } from '@platform/shared/testing/test-redis';
import { createClient } from 'redis';
import { createFactorUser, createVerifiedUser, type Fixture, KINDS, openChallenge } from './fixture.ts';

const toKeyBytes = (base32: string): Buffer => {
  const bits = [...base32].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Each way in which a secret could be stored as it is. */
const spell = (secret: string): string[] => {
  const compact = secret.replaceAll('-', '');
  return [secret, compact, compact.toUpperCase()];
};

const readRedis = async ({ stack }: Fixture): Promise<string> => {
  const redis = await createClient({ url: stack.redisUrl }).connect();
  const dump = await dumpRedis(redis);
  redis.destroy();
  return Object.entries(dump).flat().join('\n');
};

const dumpMails = async ({ stack }: Fixture): Promise<string> =>
  await (await fetch(`${stack.inboxUrl}/api/email`)).text();

/** Reads everything that is stored, and looks for secrets of users whose factors were just used. */
export const testStoredSecrets = async (fixture: Fixture): Promise<void> => {
  fixture.section('Second factor: secrets and recovery codes are nowhere in plain text');
  const secrets: [kind: string, spellings: string[]][] = [];
  for (const kind of KINDS) {
    const user = await createFactorUser(fixture, kind);
    const pending = await createVerifiedUser(fixture, kind);
    const waiting = await openChallenge(user);
    const passkeyOptions = await user.factors.getPasskeyOptions(uniqueFingerprint());
    const used = await user.factors.secondStep(waiting.challenge, waiting.fingerprint, {
      recoveryCode: user.totp.recoveryCodes[0],
    });
    if (used.status !== 200) throw new Error(`The recovery code was refused: ${used.text}`);
    for (const secret of [user.totp.secret, await user.factors.setUpTotp(pending.device)]) {
      const bytes = toKeyBytes(secret);
      const encoded = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));
      secrets.push(['TOTP secret', [...spell(secret), ...encoded]]);
    }
    for (const code of user.totp.recoveryCodes) secrets.push(['recovery code', spell(code)]);
    secrets.push(['challenge', [waiting.challenge, (await openChallenge(user)).challenge]]);
    secrets.push(['passkey options', [passkeyOptions.challenge]]);
  }
  const places: [place: string, text: string][] = [
    ['the database', (await dumpDatabase(fixture.stack.databaseUrl)).map(({ row }) => row).join('\n')],
    ['the logs', (await fixture.logLines()).join('\n')],
    ['the mails', await dumpMails(fixture)],
  ];
  const redis = await readRedis(fixture);
  for (const [place, text] of [...places, ['Redis', redis] as const]) {
    const found = secrets.filter(
      ([kind, spellings]) =>
        // The challenges of passkeys wait in Redis as they are: the browser has them, too, and they are no secret.
        !(place === 'Redis' && kind === 'passkey options') &&
        spellings.some((spelling) => text.includes(spelling)),
    );
    fixture.check(
      found.length === 0 && text.length > 1_000,
      `${secrets.length} secrets and codes in ${place} (${(text.length / 1_000).toFixed(0)} kB)`,
      found.length === 0 ? 'none' : found.map(([kind]) => kind).join(', '),
    );
  }
};
