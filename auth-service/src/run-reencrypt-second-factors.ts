import { runCli } from '@platform/shared/config/cli';
import { ConfigError, type Environment, readEnvironment } from '@platform/shared/config/env';
import { processVariables } from '@platform/shared/config/process-variables';
import { readSecrets, type Secret, secretVariables } from '@platform/shared/config/secrets';
import { withCommandDatabase } from '@platform/shared/db/command-database';
import { createCipher } from '@platform/shared/encryption/cipher';
import { createReencryptionService } from './second-factor/reencryption-service.ts';
import { createSecondFactorStore } from './second-factor/second-factor-store.ts';

// `npm run second-factors:reencrypt`: afterwards no secret of an authenticator app needs SECOND_FACTOR_KEY_PREVIOUS.

const NAMES = ['SECOND_FACTOR_KEY'] as const;

const readKey = (environment: Environment): Secret => {
  const { NODE_ENV } = processVariables;
  return readSecrets(readEnvironment(environment, { NODE_ENV, ...secretVariables(NAMES) }), NAMES)
    .SECOND_FACTOR_KEY;
};

await runCli(async () => {
  const key = readKey(process.env);
  const { total, reencrypted, unreadable } = await withCommandDatabase(
    'second-factors-reencrypt',
    (database) =>
      createReencryptionService({
        store: createSecondFactorStore(database),
        cipher: createCipher(key, 'TOTP secret'),
        currentCipher: createCipher({ current: key.current, previous: [] }, 'TOTP secret'),
      }).reencryptAll(),
  );
  const result = `Encrypted ${reencrypted} of ${total} secrets with the current key.`;
  if (unreadable > 0)
    throw new ConfigError(
      `${result} No key decrypts ${unreadable}: add theirs to SECOND_FACTOR_KEY_PREVIOUS`,
    );
  return result;
});
