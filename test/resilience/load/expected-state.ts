import type { AccountKind, Device } from '@platform/shared/testing/auth-client';

export type Account = { kind: AccountKind; email: string; password: string };

/** Somebody with a device. Without an account they sign up next, without a session they sign in. */
export type Visitor = {
  kind: AccountKind;
  fingerprint: string;
  account: Account | undefined;
  device: Device | undefined;
};

/**
 * What the platform has acknowledged, and so must never lose. Where a later request ended without an acknowledgement,
 * both outcomes are in order: then there is more than one `password` or `title`.
 */
export const createLedger = () => ({
  /** By e-mail. */
  accounts: new Map<string, { account: Account; passwords: string[]; at: number }>(),
  /** By fingerprint: the pair of tokens that the device was given last. */
  sessions: new Map<string, { visitor: Visitor; at: number }>(),
  /** By the project's id. */
  titles: new Map<string, { titles: string[]; at: number }>(),
  /** By what the mail can be told by: the recipient of a notice, the marker in a contact form. */
  mails: new Map<string, { at: number }>(),
  /** How many writes were acknowledged in all, superseded ones included. */
  acknowledged: 0,
});

export type Ledger = ReturnType<typeof createLedger>;
