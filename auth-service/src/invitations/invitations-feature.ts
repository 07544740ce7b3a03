import type { Secret } from '@platform/shared/config/secrets';
import type { EndingService } from '../endings/endings-service.ts';
import type { GuessLimitsFeature } from '../guess-limits/guess-limits-feature.ts';
import type { Base } from '../infrastructure.ts';
import type { PasswordsFeature } from '../passwords/passwords-feature.ts';
import { type AcceptanceStores, createAcceptanceService } from './acceptance-service.ts';
import { invitationRoutes } from './invitations-routes.ts';
import { createInvitationService } from './invitations-service.ts';

type Config = { adminAllowedDomains: readonly string[]; codeSecret: Secret };
type EarlierFeatures = {
  passwords: PasswordsFeature;
  endings: EndingService;
  guessLimits: GuessLimitsFeature;
};

export const createInvitationsFeature = (
  base: Base<AcceptanceStores, Config>,
  { passwords, endings, guessLimits }: EarlierFeatures,
) => {
  const count = base.metrics.counter(
    'invitation_acceptances_total',
    'Acceptances of invitations by outcome',
    {
      outcome: ['accepted', 'rejected'],
    },
  );
  const acceptance = createAcceptanceService({ ...base, ...guessLimits, endings });
  const invitations = createInvitationService({
    ...base,
    ...passwords,
    acceptance,
    countAcceptance: (outcome) => count({ outcome }),
  });
  return { routes: invitationRoutes(invitations) };
};
