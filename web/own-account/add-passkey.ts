import type { FactorConfirmation } from '@platform/client';
import { registerPasskey } from '@platform/client/passkeys';
import { useSayStatus } from '../components/status.tsx';
import type { AnyClient } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import { useRecoveryCodes } from './recovery-codes.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Without a name, the passkey is called after the password manager that keeps it. */
export const addPasskey = async (client: AnyClient, proof: FactorConfirmation, name = '') => {
  const { nameOfPasskey } = await import('./passkey-providers.ts');
  return await registerPasskey(client, { ...proof, name: name.trim() || nameOfPasskey });
};

type Added = { name: string; recoveryCodes?: string[] | undefined };

/** Returns the sentence for a new passkey, or shows the recovery codes of a first factor and says it afterwards. */
export const useSayAdded = () => {
  const words = useWords(OWN_ACCOUNT);
  const codes = useRecoveryCodes();
  const say = useSayStatus();
  return ({ name, recoveryCodes }: Added): string | undefined => {
    const added = words.passkeyAdded(name);
    if (!recoveryCodes) return added;
    codes.show(recoveryCodes, () => say(added));
    return undefined;
  };
};
