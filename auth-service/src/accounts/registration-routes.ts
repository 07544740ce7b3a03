import type { AuthOperations } from '../operations.ts';
import type { RegistrationService } from './registration-service.ts';

export const registrationRoutes = (
  registration: RegistrationService,
): Pick<AuthOperations, 'administratorRegister'> => ({
  administratorRegister: async ({ caller, body, client }) => {
    const { id, email, createdAt } = await registration.registerAdministrator(caller, body, client);
    return { status: 201, body: { id, email, platformRole: 'ADMIN', createdAt: createdAt.toISOString() } };
  },
});
