import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCipher } from '@platform/shared/encryption/cipher';
import { holdLock } from '@platform/shared/testing/hold-lock';
import { runScript } from '@platform/shared/testing/process';
import { withLoginOf } from '@platform/shared/testing/test-database';
import { useDatabase } from '@platform/shared/testing/use-database';
import { expect } from 'chai';

const OLD_KEY = 'the-old-key-of-these-tests-0123456789abc';
const NEW_KEY = 'the-new-key-of-these-tests-0123456789def';
const toCipher = (current: string) => createCipher({ current, previous: [] }, 'TOTP secret');

describe('npm run second-factors:reencrypt', () => {
  const { url, records } = useDatabase();
  /** The login of auth-service has sufficient rights for the command. */
  const run = async (environment: Record<string, string>) =>
    runScript('auth-service/src/run-reencrypt-second-factors.ts', [], {
      DATABASE_URL: await withLoginOf('auth', url()),
      ...environment,
    });
  /** Adds a user with an authenticator app. */
  const addSecret = async (secret: string, key: string): Promise<string> => {
    const { id } = await records().user(['CUSTOMER']);
    await records().query(
      'insert into totp_factors (user_id, sealed_secret, enabled_at) values ($1, $2, now())',
      [id, toCipher(key).encrypt(secret)],
    );
    return id;
  };
  const readSealed = async (userId: string): Promise<string> => {
    const [row] = await records().query<{ sealed_secret: string }>(
      'select sealed_secret from totp_factors where user_id = $1',
      [userId],
    );
    return row?.sealed_secret ?? '';
  };

  it('encrypts each secret of a previous key with the current one, and leaves the others unchanged', async () => {
    const old = await addSecret('JBSWY3DPEHPK3PXP', OLD_KEY);
    const current = await addSecret('KRSXG5CTMVRXEZLU', NEW_KEY);
    const sealed = await readSealed(current);
    const keys = { SECOND_FACTOR_KEY: NEW_KEY, SECOND_FACTOR_KEY_PREVIOUS: OLD_KEY };
    expect(await run(keys)).to.deep.equal({
      code: 0,
      output: 'Encrypted 1 of 2 secrets with the current key.\n',
    });
    expect(toCipher(NEW_KEY).decrypt(await readSealed(old))).to.equal('JBSWY3DPEHPK3PXP');
    expect(await readSealed(current)).to.equal(sealed);
    expect(await run({ SECOND_FACTOR_KEY: NEW_KEY })).to.deep.equal({
      code: 0,
      output: 'Encrypted 0 of 2 secrets with the current key.\n',
    });
  });

  it('counts the secrets that no key decrypts, keeps them, and exits with 1', async () => {
    const lost = await addSecret('JBSWY3DPEHPK3PXP', OLD_KEY);
    const sealed = await readSealed(lost);
    const { code, output } = await run({ SECOND_FACTOR_KEY: NEW_KEY });
    expect(code).to.equal(1);
    expect(output).to.equal(
      'Encrypted 0 of 1 secrets with the current key. No key decrypts 1; add their keys to SECOND_FACTOR_KEY_PREVIOUS\n',
    );
    expect(await readSealed(lost)).to.equal(sealed);
  });

  it('keeps a secret that the user replaces meanwhile', async () => {
    const user = await addSecret('JBSWY3DPEHPK3PXP', OLD_KEY);
    const replacement = toCipher(NEW_KEY).encrypt('KRSXG5CTMVRXEZLU');
    const statement = 'update totp_factors set sealed_secret = $2 where user_id = $1';
    const change = await holdLock(url(), statement, [user, replacement]);
    const running = run({ SECOND_FACTOR_KEY: NEW_KEY, SECOND_FACTOR_KEY_PREVIOUS: OLD_KEY });
    await change.commitWhenWaiting(1);
    expect((await running).code).to.equal(0);
    expect(await readSealed(user)).to.equal(replacement);
  });

  it('encrypts more secrets than one batch has', async () => {
    const sealed = toCipher(OLD_KEY).encrypt('JBSWY3DPEHPK3PXP');
    await records().query(
      `with added as (
         insert into users (email, password_hash) select n || '@batch.example.com', 'x' from generate_series(1, 1001) n
         returning id
       ) insert into totp_factors (user_id, sealed_secret, enabled_at) select id, $1, now() from added`,
      [sealed],
    );
    const keys = { SECOND_FACTOR_KEY: NEW_KEY, SECOND_FACTOR_KEY_PREVIOUS: OLD_KEY };
    expect((await run(keys)).output).to.equal('Encrypted 1001 of 1001 secrets with the current key.\n');
  });

  it('uses the keys of the embedded stack with its database only, and those of the environment first', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'platform-reencrypt-'));
    const stack = { databaseUrl: url(), secondFactorKey: { current: NEW_KEY, previous: [OLD_KEY] } };
    await writeFile(join(dataDir, 'stack.json'), JSON.stringify(stack));
    const user = await addSecret('JBSWY3DPEHPK3PXP', OLD_KEY);
    const other = await run({ DATA_DIR: dataDir });
    expect(other).to.deep.equal({ code: 1, output: 'SECOND_FACTOR_KEY is required\n' });
    const inOrder: [Record<string, string>, number][] = [
      [{ SECOND_FACTOR_KEY: OLD_KEY }, 0],
      [{}, 1],
    ];
    for (const [keys, count] of inOrder)
      expect(await run({ DATABASE_URL: '', DATA_DIR: dataDir, ...keys })).to.deep.equal({
        code: 0,
        output: `Encrypted ${count} of 1 secrets with the current key.\n`,
      });
    expect(toCipher(NEW_KEY).decrypt(await readSealed(user))).to.equal('JBSWY3DPEHPK3PXP');
    await rm(dataDir, { recursive: true });
  });

  it('does not run without a key, and with a key that is too short', async () => {
    for (const environment of [{}, { SECOND_FACTOR_KEY: 'too short' }] as Record<string, string>[]) {
      const { code, output } = await run(environment);
      expect(code).to.equal(1);
      expect(output).to.match(/^SECOND_FACTOR_KEY (?:is required|must have)/);
    }
  });
});
