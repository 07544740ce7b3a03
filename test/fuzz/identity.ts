import type { Device } from '@platform/shared/testing/auth-client';
import type { Role } from '@platform/shared/testing/records';
import type { Account } from '../resilience/load/expected-state.ts';

/** Somebody who is signed in. */
export type Identity = { role: Role; userId: string; account: Account; device: Device };
