import type { Cipher } from '@platform/shared/encryption/cipher';
import type { SealedSecret } from './second-factor.ts';
import type { SecondFactorStore } from './second-factor-store.ts';

const BATCH_SIZE = 500;
const FIRST_USER_ID = '00000000-0000-0000-0000-000000000000';

/** `cipher` also decrypts with the previous keys, `currentCipher` only with the current one. */
type Dependencies = { store: SecondFactorStore; cipher: Cipher; currentCipher: Cipher };
type Counts = { total: number; reencrypted: number; unreadable: number };

const tryDecrypt = (cipher: Cipher, sealedSecret: string): string | undefined => {
  try {
    return cipher.decrypt(sealedSecret);
  } catch {
    return undefined; // altered, or encrypted with another key
  }
};

/** Encrypts the secrets of authenticator apps with the current key, so that the previous keys are needed no more. */
export const createReencryptionService = ({ store, cipher, currentCipher }: Dependencies) => {
  const reencrypt = async (secret: SealedSecret): Promise<keyof Counts | undefined> => {
    if (tryDecrypt(currentCipher, secret.sealedSecret) !== undefined) return undefined;
    const decrypted = tryDecrypt(cipher, secret.sealedSecret);
    if (decrypted === undefined) return 'unreadable';
    await store.replaceSealedSecret(secret, currentCipher.encrypt(decrypted));
    return 'reencrypted';
  };

  return {
    reencryptAll: async (): Promise<Counts> => {
      const counts: Counts = { total: 0, reencrypted: 0, unreadable: 0 };
      for (let last = FIRST_USER_ID; ; ) {
        const secrets = await store.listSealedSecrets(last, BATCH_SIZE);
        for (const secret of secrets) {
          const result = await reencrypt(secret);
          counts.total += 1;
          if (result !== undefined) counts[result] += 1;
        }
        const [user] = secrets.slice(-1);
        if (user === undefined) return counts;
        last = user.userId;
      }
    },
  };
};
