import type { AuthOperations } from '../authentication/operations.ts';
import { toProfileBody, toUserBody } from './account-mapper.ts';
import type { AccountService } from './accounts-service.ts';
import type { RegistrationService } from './administrators-service.ts';

export const accountRoutes = (accounts: AccountService, registration: RegistrationService) =>
  ({
    signUp: async ({ kind, body, language, timeZone, context }) => {
      const account = await accounts.signUp(kind, { ...body, language, timeZone }, context);
      return {
        status: 201,
        body: { user: toUserBody(kind, account), profile: toProfileBody(kind, account) },
      };
    },

    administratorRegister: async ({ caller, body, context, language, timeZone }) => {
      const user = { ...body, language, timeZone };
      const registered = await registration.registerAdministrator(caller, user, context);
      return { status: 201, body: { ...registered, platformRole: 'ADMIN' } };
    },
  }) satisfies Partial<AuthOperations>;
