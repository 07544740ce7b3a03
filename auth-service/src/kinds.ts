import type { KeyObject } from 'node:crypto';
import { createTokenKey } from '@platform/shared/tokens/tokens';
import type { TokenSettings } from './config.ts';

export type Kind = 'customer' | 'employee';

/** What a kind of account is in the database. */
export type KindFacts = {
  role: 'CUSTOMER' | 'EMPLOYEE';
  profileTable: 'customer_profiles' | 'employee_profiles';
  /** The name of the profile's id in a token and in a `user`. */
  profileLink: 'customerId' | 'employeeId';
  refreshCookie: string;
};

export const KINDS: { readonly [K in Kind]: KindFacts } = {
  customer: {
    role: 'CUSTOMER',
    profileTable: 'customer_profiles',
    profileLink: 'customerId',
    refreshCookie: 'CustomerRefreshToken',
  },
  employee: {
    role: 'EMPLOYEE',
    profileTable: 'employee_profiles',
    profileLink: 'employeeId',
    refreshCookie: 'EmployeeRefreshToken',
  },
};

/** In the order in which the universal guard tries them. */
export const KIND_NAMES: readonly Kind[] = ['customer', 'employee'];

export type TokenKeys = {
  accessKey: KeyObject;
  accessSeconds: number;
  refreshKey: KeyObject;
  refreshSeconds: number;
};
export type KindKeys = { readonly [K in Kind]: TokenKeys };

const toKeys = ({
  accessSecret,
  refreshSecret,
  accessSeconds,
  refreshSeconds,
}: TokenSettings): TokenKeys => ({
  accessKey: createTokenKey(accessSecret),
  accessSeconds,
  refreshKey: createTokenKey(refreshSecret),
  refreshSeconds,
});

export const createKindKeys = (tokens: { [K in Kind]: TokenSettings }): KindKeys => ({
  customer: toKeys(tokens.customer),
  employee: toKeys(tokens.employee),
});
