import type { Request } from 'express';

/** An IANA name, and no offset such as `+01:00`, which Intl accepts, too. */
const NAME = /^[A-Za-z][\w+/-]{0,63}$/;

const isKnown = (timeZone: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone });
    return true;
  } catch {
    return false;
  }
};

/** Undefined for anything but the name of a time zone. */
export const toTimeZone = (value: unknown): string | undefined =>
  typeof value === 'string' && NAME.test(value) && isKnown(value) ? value : undefined;

/** That of the header; null if there is none, or an unknown one. */
export const findTimeZone = (req: Request): string | null => toTimeZone(req.get('X-Time-Zone')) ?? null;
