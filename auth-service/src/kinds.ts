import type { Secret } from '@platform/shared/config/secrets';
import { REFRESH_COOKIES } from '@platform/shared/platform/platform-cookies';
import { createTokenKeys } from '@platform/shared/tokens/tokens';

export type Kind = 'customer' | 'employee' | 'administrator';
/** The kinds whose users sign up themselves and have a profile. */
export type ProfileKind = 'customer' | 'employee';

/** All differences between the kinds that are not configuration. */
export const KIND_CONFIGS = {
  customer: {
    /**
     * A user without a profile of the kind is not of that kind. `idField` is part of tokens and of the `user`
     * in a response.
     */
    profile: { role: 'CUSTOMER', table: 'customer_profiles', idField: 'customerId' },
    /**
     * If true, each account of the kind must have exactly one platform role, which its tokens claim, and an
     * e-mail of an allowed domain.
     */
    hasPlatformRole: false,
    refreshCookie: REFRESH_COOKIES.customer,
  },
  employee: {
    profile: { role: 'EMPLOYEE', table: 'employee_profiles', idField: 'employeeId' },
    hasPlatformRole: false,
    refreshCookie: REFRESH_COOKIES.employee,
  },
  administrator: { profile: undefined, hasPlatformRole: true, refreshCookie: REFRESH_COOKIES.administrator },
} as const satisfies Record<Kind, object>;

/** The order in which the security scheme `universalAccess` tries the kinds. */
export const KIND_NAMES: readonly Kind[] = ['customer', 'employee', 'administrator'];

export const PROFILE_KINDS: readonly ProfileKind[] = ['customer', 'employee'];

export const forEachKind = <Value>(create: (kind: Kind) => Value): Readonly<Record<Kind, Value>> => ({
  customer: create('customer'),
  employee: create('employee'),
  administrator: create('administrator'),
});

/** The settings of a kind. */
export type TokenSettings = {
  accessSecret: Secret;
  accessSeconds: number;
  refreshSecret: Secret;
  refreshSeconds: number;
  /** The lifetime of sessions that stay signed in; 0 if the kind does not offer that. */
  staySeconds: number;
};

const toTokenKeys = (settings: TokenSettings) => ({
  /** The first key signs; the others only verify. */
  accessKeys: createTokenKeys(settings.accessSecret),
  accessSeconds: settings.accessSeconds,
  refreshKeys: createTokenKeys(settings.refreshSecret),
  refreshSeconds: settings.refreshSeconds,
  staySeconds: settings.staySeconds,
});

export const createKindKeys = (tokens: Record<Kind, TokenSettings>) =>
  forEachKind((kind) => toTokenKeys(tokens[kind]));

export type KindKeys = ReturnType<typeof createKindKeys>;
