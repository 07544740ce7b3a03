import type { ProfileKind } from '../kinds.ts';
import { type AuthOperations, prefixOperations, type SignUpRequest } from '../operations.ts';
import { toProfileBody, toUserBody } from './account-mapper.ts';
import type { AccountService } from './accounts-service.ts';
import type { RegistrationService } from './administrators-service.ts';

export const signUpRoutes = (accounts: AccountService) => {
  const ofKind = <K extends ProfileKind>(kind: K) =>
    prefixOperations(kind, {
      signUp: async ({ body, language, context }: SignUpRequest) => {
        const account = await accounts.signUp(kind, { ...body, language }, context);
        return {
          status: 201 as const,
          body: { user: toUserBody(kind, account), profile: toProfileBody(kind, account) },
        };
      },
    });
  return { ...ofKind('customer'), ...ofKind('employee') };
};

export const registrationRoutes = (registration: RegistrationService) =>
  ({
    administratorRegister: async ({ caller, body, context, language }) => {
      const registered = await registration.registerAdministrator(caller, { ...body, language }, context);
      return { status: 201, body: { ...registered, platformRole: 'ADMIN' } };
    },
  }) satisfies Partial<AuthOperations>;
