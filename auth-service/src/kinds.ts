import type { KeyObject } from 'node:crypto';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import type { TokenSettings } from './config.ts';

export type Kind = 'customer' | 'employee' | 'administrator';
/** Those who sign up by themselves and have a profile. */
export type ProfileKind = 'customer' | 'employee';

type ProfileFacts = {
  role: 'CUSTOMER' | 'EMPLOYEE';
  table: 'customer_profiles' | 'employee_profiles';
  /** The name of the profile's id in a token and in a `user`. */
  link: 'customerId' | 'employeeId';
};

/** What a kind of account is; everything that differs between the kinds stands here or in the configuration. */
export type KindFacts = {
  /** Who has no profile of a kind is not of that kind. */
  profile?: ProfileFacts;
  /** A member holds exactly one platform role, which the token claims. */
  hasPlatformRole: boolean;
  refreshCookie: string;
};

export const KINDS = {
  customer: {
    profile: { role: 'CUSTOMER', table: 'customer_profiles', link: 'customerId' },
    hasPlatformRole: false,
    refreshCookie: 'CustomerRefreshToken',
  },
  employee: {
    profile: { role: 'EMPLOYEE', table: 'employee_profiles', link: 'employeeId' },
    hasPlatformRole: false,
    refreshCookie: 'EmployeeRefreshToken',
  },
  administrator: { hasPlatformRole: true, refreshCookie: 'AdminRefreshToken' },
} as const satisfies { [K in Kind]: KindFacts };

export const factsOf = (kind: Kind): KindFacts => KINDS[kind];

/** In the order in which the universal guard tries them. */
export const KIND_NAMES: readonly Kind[] = ['customer', 'employee', 'administrator'];

export type TokenKeys = {
  /** The first one signs; the others only verify. */
  accessKeys: [KeyObject, ...KeyObject[]];
  accessSeconds: number;
  refreshKeys: [KeyObject, ...KeyObject[]];
  refreshSeconds: number;
};
export type KindKeys = { readonly [K in Kind]: TokenKeys };

const toKeys = (settings: TokenSettings): TokenKeys => ({
  accessKeys: createTokenKeys(settings.accessSecret),
  accessSeconds: settings.accessSeconds,
  refreshKeys: createTokenKeys(settings.refreshSecret),
  refreshSeconds: settings.refreshSeconds,
});

export const createKindKeys = (tokens: { [K in Kind]: TokenSettings }): KindKeys => ({
  customer: toKeys(tokens.customer),
  employee: toKeys(tokens.employee),
  administrator: toKeys(tokens.administrator),
});
