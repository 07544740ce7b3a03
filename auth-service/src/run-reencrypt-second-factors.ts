import { readEmbeddedStack, runCli } from '@platform/shared/config/cli';
import { ConfigError, type Environment, findSecret, readEnvironment } from '@platform/shared/config/env';
import { processVariables } from '@platform/shared/config/process-variables';
import { readSecrets, type Secret, secretVariables } from '@platform/shared/config/secrets';
import { withCommandDatabase } from '@platform/shared/db/command-database';
import { type Cipher, createCipher } from '@platform/shared/encryption/cipher';
import type { SealedSecret } from './second-factor/second-factor.ts';
import { createSecondFactorStore, type SecondFactorStore } from './second-factor/second-factor-store.ts';

// `npm run second-factors:reencrypt`: afterwards, no secret of an authenticator app and no recovery code needs
// SECOND_FACTOR_KEY_PREVIOUS.

const NAMES = ['SECOND_FACTOR_KEY'] as const;

/**
 * SECOND_FACTOR_KEY, or the key of the embedded stack if its database is used.
 * @throws ConfigError if there is none, or it is invalid
 */
const findKey = async (environment: Environment, databaseUrl: string): Promise<Secret> => {
  const stack = await readEmbeddedStack(environment);
  const isSet = findSecret(environment, 'SECOND_FACTOR_KEY') !== undefined;
  if (!isSet && stack?.databaseUrl === databaseUrl && stack.secondFactorKey) return stack.secondFactorKey;
  const { NODE_ENV } = processVariables;
  return readSecrets(readEnvironment(environment, { NODE_ENV, ...secretVariables(NAMES) }), NAMES)
    .SECOND_FACTOR_KEY;
};

const BATCH_SIZE = 500;
const FIRST_USER_ID = '00000000-0000-0000-0000-000000000000';

const tryDecrypt = (cipher: Cipher, sealedSecret: string): string | undefined => {
  try {
    return cipher.decrypt(sealedSecret);
  } catch {
    return undefined; // altered, or encrypted with another key
  }
};

type Counts = { total: number; reencrypted: number; unreadable: number };

/** The stored secrets of one purpose. */
type Secrets = {
  purpose: 'TOTP secret' | 'recovery code';
  list: (afterUserId: string, limit: number) => Promise<SealedSecret[]>;
  replace: (secret: SealedSecret, replacement: string) => Promise<void>;
};

const reencryptSecrets = async ({ purpose, list, replace }: Secrets, key: Secret, counts: Counts) => {
  const cipher = createCipher(key, purpose);
  const currentCipher = createCipher({ current: key.current, previous: [] }, purpose);

  const reencrypt = async (secret: SealedSecret): Promise<void> => {
    counts.total += 1;
    if (tryDecrypt(currentCipher, secret.sealedSecret) !== undefined) return;
    const decrypted = tryDecrypt(cipher, secret.sealedSecret);
    if (decrypted === undefined) counts.unreadable += 1;
    else {
      await replace(secret, currentCipher.encrypt(decrypted));
      counts.reencrypted += 1;
    }
  };

  let last: string | undefined = FIRST_USER_ID;
  while (last !== undefined) {
    const secrets: SealedSecret[] = await list(last, BATCH_SIZE);
    for (const secret of secrets) await reencrypt(secret);
    last = secrets.at(-1)?.userId;
  }
};

const reencryptAll = async (store: SecondFactorStore, key: Secret): Promise<Counts> => {
  const counts = { total: 0, reencrypted: 0, unreadable: 0 };
  const { listSealedSecrets, replaceSealedSecret, listSealedCodes, replaceSealedCode } = store;
  const secrets: Secrets[] = [
    { purpose: 'TOTP secret', list: listSealedSecrets, replace: replaceSealedSecret },
    { purpose: 'recovery code', list: listSealedCodes, replace: replaceSealedCode },
  ];
  for (const each of secrets) await reencryptSecrets(each, key, counts);
  return counts;
};

await runCli(async () => {
  const { total, reencrypted, unreadable } = await withCommandDatabase(
    'second-factors-reencrypt',
    async (database, url) => reencryptAll(createSecondFactorStore(database), await findKey(process.env, url)),
  );
  const result = `Encrypted ${reencrypted} of ${total} secrets with the current key.`;
  if (unreadable > 0)
    throw new ConfigError(
      `${result} No key decrypts ${unreadable}; add their keys to SECOND_FACTOR_KEY_PREVIOUS`,
    );
  return result;
});
