import { type AccountKind, CUSTOMER } from '@platform/shared/testing/auth-client';
import { CONFIRMATION, uniqueFingerprint } from '@platform/shared/testing/builders';
import { dumpDatabase } from '@platform/shared/testing/query-database';
import { dumpRedis } from '@platform/shared/testing/test-redis';
import { expect } from 'chai';
import { createClient } from 'redis';
import { KINDS, type User, useFixture } from './fixture.ts';

const toKeyBytes = (base32: string): Buffer => {
  const bits = [...base32].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** All encodings in which a secret could be stored unencrypted. */
const spell = (secret: string): string[] => {
  const compact = secret.replaceAll('-', '');
  return [secret, compact, compact.toUpperCase()];
};

type Secret = [kind: string, spellings: string[]];

const SIGN_IN_SECRETS = /eyJ[\w-]+\.eyJ|Correct horse|\$2b\$|[?&](?:code|state)=/;

describe('secrets at rest', () => {
  const fixture = useFixture();

  const openChallenge = async ({ client, ...user }: User) => {
    return await client.startSignIn(user);
  };

  /** Uses the second factors of a new user. Returns the secrets that the user was shown. */
  const createSecrets = async (kind: AccountKind): Promise<Secret[]> => {
    const user = await fixture().createVerifiedUser(kind);
    const { client } = user;
    const totp = await client.enableTotp(user.device);
    const pending = await fixture().createVerifiedUser(kind);
    const waiting = await openChallenge(user);
    const { challenge } = (await client.signInPasskeyOptions({ fingerprint: uniqueFingerprint() })).body;
    const proof = { recoveryCode: totp.recoveryCodes[0] };
    const used = await client.signInSecondFactor({
      fingerprint: waiting.fingerprint,
      body: { challenge: waiting.challenge, ...proof },
    });
    expect(used.status, used.text).to.equal(200);
    const totpSecrets = [
      totp.secret,
      (await client.totpSetUp({ ...pending.device, body: CONFIRMATION })).body.secret,
    ].map((secret): Secret => {
      const bytes = toKeyBytes(secret);
      const encoded = (['hex', 'base64', 'base64url'] as const).map((encoding) => bytes.toString(encoding));
      return ['TOTP secret', [...spell(secret), ...encoded]];
    });
    return [
      ...totpSecrets,
      ...totp.recoveryCodes.map((code): Secret => ['recovery code', spell(code)]),
      ['challenge', [waiting.challenge, (await openChallenge(user)).challenge]],
      ['passkey options', [challenge]],
    ];
  };

  it('of second factors are nowhere in plain text', async () => {
    const secrets = (await Promise.all(KINDS.map(createSecrets))).flat();
    const { stack, logLines } = fixture();
    const redis = await createClient({ url: stack.redisUrl }).connect();
    const keys = Object.entries(await dumpRedis(redis));
    redis.destroy();
    for (const [place, text] of Object.entries({
      'the database': (await dumpDatabase(stack.databaseUrl)).map(({ row }) => row).join('\n'),
      'the logs': (await logLines()).join('\n'),
      'the mails': await (await fetch(`${stack.inboxUrl}/api/email`)).text(),
      Redis: keys.flat().join('\n'),
    })) {
      expect(text, place).to.have.length.above(1_000);
      const found = secrets.filter(
        ([kind, spellings]) =>
          // Redis contains the challenges of passkeys in clear text. Browsers get them too, so they are not
          // secret.
          !(place === 'Redis' && kind === 'passkey options') &&
          spellings.some((spelling) => text.includes(spelling)),
      );
      expect(found, place).to.deep.equal([]);
    }
  });

  it('of sign-ins are not in the logs, whose lines are JSON', async () => {
    const { device, client } = await fixture().createUser(CUSTOMER);
    await client.refreshToken(device);
    await fixture().send(`${CUSTOMER.path}/oidc/callback?code=secret&state=secret`);
    const lines = await fixture().logLines();
    expect(lines).to.have.length.above(10);
    for (const line of lines) expect(JSON.parse(line)).to.be.an('object');
    expect(lines.filter((line) => SIGN_IN_SECRETS.test(line))).to.deep.equal([]);
  });
});
