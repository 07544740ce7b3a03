import type { components } from '@platform/openapi/types/auth';
import type { Passkey } from './passkeys.ts';

export const toPasskeyBody = (passkey: Passkey): components['schemas']['Passkey'] => ({
  id: passkey.id,
  name: passkey.name,
  createdAt: passkey.createdAt.toISOString(),
  lastUsedAt: passkey.lastUsedAt?.toISOString() ?? null,
});
