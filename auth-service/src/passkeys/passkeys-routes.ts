import type { AuthOperations } from '../authentication/operations.ts';
import { toConfirmation } from '../second-factor/confirmation.ts';
import type { PasskeyService } from './passkeys-service.ts';

export const passkeyRoutes = (passkeys: PasskeyService) =>
  ({
    passkeyOptions: async ({ caller, body }) => ({
      status: 200,
      body: await passkeys.createOptions(caller, toConfirmation(body)),
    }),

    passkeyCreate: async ({ caller, body }) => ({
      status: 201,
      body: await passkeys.add(caller, body),
    }),

    passkeyRename: async ({ caller, path, body }) => ({
      status: 200,
      body: await passkeys.rename(caller, path.passkeyId, body.name),
    }),

    passkeyDelete: async ({ caller, path, body }) => {
      await passkeys.remove(caller, path.passkeyId, toConfirmation(body));
      return { status: 204 };
    },

    secondFactorOptions: async ({ caller }) => ({
      status: 200,
      body: await passkeys.createConfirmationOptions(caller),
    }),
  }) satisfies Partial<AuthOperations>;
