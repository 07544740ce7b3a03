import type { Secret } from '@platform/shared/config/secrets';
import type { Base } from '../infrastructure.ts';
import { invitationRoutes } from './invitations-routes.ts';
import { createInvitationService, type InvitationStores } from './invitations-service.ts';

type Config = { adminAllowedDomains: readonly string[]; codeSecret: Secret };

export const createInvitationsFeature = (base: Base<InvitationStores, Config>) => {
  const count = base.metrics.counter('invitations_sent_total', 'Invitations to the back office', {});
  const countSent = (): void => count({});
  return { routes: invitationRoutes(createInvitationService({ ...base, countSent })) };
};
