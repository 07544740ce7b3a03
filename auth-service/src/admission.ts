import { type Account, domainNotAllowed, platformRoleInvalid, platformRoleOf } from './accounts/account.ts';
import { factsOf, type Kind } from './kinds.ts';

/** Which kinds take only e-mails of certain domains, in lower case. */
export type AllowedDomains = { readonly [K in Kind]?: readonly string[] };

/** Who may be of a kind at all; the kinds' differences are data. */
export const createAdmission = (allowedDomains: AllowedDomains) => ({
  /** Judged on the text alone, the exact domain. @throws AppError 403 DOMAIN_NOT_ALLOWED */
  requireAllowedDomain: (kind: Kind, email: string): void => {
    const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
    if (allowedDomains[kind]?.includes(domain) === false) throw domainNotAllowed();
  },
  /** @throws AppError 403 PLATFORM_ROLE_INVALID */
  requireRole: (kind: Kind, { roles }: Account): void => {
    if (factsOf(kind).hasPlatformRole && platformRoleOf(roles) === undefined) throw platformRoleInvalid();
  },
});

export type Admission = ReturnType<typeof createAdmission>;
