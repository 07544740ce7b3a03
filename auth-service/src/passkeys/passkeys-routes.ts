import { listOperations, type OpenApiDocument } from '@platform/shared/openapi/openapi-document';
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

/** The paths of the operations that need the configuration of WebAuthn. */
const PATHS = /\/(?:passkeys(?:\/.*)?|second-factor\/options|sign-in\/passkey(?:\/options)?)$/;

/** The document and operations of a service without passkeys, which does not know their routes. */
export const withoutPasskeys = (complete: OpenApiDocument, operations: object) => {
  const paths = Object.entries(complete.paths).filter(([path]) => !PATHS.test(path));
  const document = { ...complete, paths: Object.fromEntries(paths) };
  const names = new Set(listOperations(document).map(({ name }) => name));
  const offered = Object.entries(operations).filter(([name]) => names.has(name));
  return { document, operations: Object.fromEntries(offered) };
};
