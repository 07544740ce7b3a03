import type { KeyObject } from 'node:crypto';
import { createTokenKeys } from '@platform/shared/tokens/tokens';
import type { TokenSettings } from './config.ts';

export type Kind = 'customer' | 'employee' | 'administrator';
/** The kinds that sign up themselves and have a profile. */
export type ProfileKind = 'customer' | 'employee';

type ProfileConfig = {
  role: 'CUSTOMER' | 'EMPLOYEE';
  table: 'customer_profiles' | 'employee_profiles';
  /** The field that holds the profile's id in tokens and in the `user` of a response. */
  idField: 'customerId' | 'employeeId';
};

type KindConfig = {
  /** A user without a profile of the kind is not of that kind. */
  profile: ProfileConfig | undefined;
  /** Each account of the kind must have exactly one platform role, which its tokens claim, and an e-mail of an allowed domain. */
  hasPlatformRole: boolean;
  refreshCookie: string;
};

/** All differences between the kinds that are not configuration. */
export const KIND_CONFIGS = {
  customer: {
    profile: { role: 'CUSTOMER', table: 'customer_profiles', idField: 'customerId' },
    hasPlatformRole: false,
    refreshCookie: 'CustomerRefreshToken',
  },
  employee: {
    profile: { role: 'EMPLOYEE', table: 'employee_profiles', idField: 'employeeId' },
    hasPlatformRole: false,
    refreshCookie: 'EmployeeRefreshToken',
  },
  administrator: { profile: undefined, hasPlatformRole: true, refreshCookie: 'AdminRefreshToken' },
} as const satisfies { [K in Kind]: KindConfig };

/** In the order in which the security scheme `universalAccess` tries them. */
export const KIND_NAMES: readonly Kind[] = ['customer', 'employee', 'administrator'];

export const forEachKind = <Value>(create: (kind: Kind) => Value): { readonly [K in Kind]: Value } => ({
  customer: create('customer'),
  employee: create('employee'),
  administrator: create('administrator'),
});

type TokenKeys = {
  /** The first key signs; the others only verify. */
  accessKeys: [KeyObject, ...KeyObject[]];
  accessSeconds: number;
  refreshKeys: [KeyObject, ...KeyObject[]];
  refreshSeconds: number;
};
export type KindKeys = { readonly [K in Kind]: TokenKeys };

const toTokenKeys = (settings: TokenSettings): TokenKeys => ({
  accessKeys: createTokenKeys(settings.accessSecret),
  accessSeconds: settings.accessSeconds,
  refreshKeys: createTokenKeys(settings.refreshSecret),
  refreshSeconds: settings.refreshSeconds,
});

export const createKindKeys = (tokens: { [K in Kind]: TokenSettings }): KindKeys =>
  forEachKind((kind) => toTokenKeys(tokens[kind]));
