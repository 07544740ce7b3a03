import type { Carry, Request } from './requests.ts';

/** Requests that fall due at a steady rate, taken in turn from a list. */
export type Stream = {
  name: string;
  perSecond: number;
  requests: readonly Request[];
  /** Then a request is sent again only with the token of its last answer. */
  carry?: Carry;
};

/** Streams side by side over at most so many connections: an open loop. `duration` in seconds. */
export type PacedLoad = { url: string; connections: number; duration: number; streams: readonly Stream[] };
