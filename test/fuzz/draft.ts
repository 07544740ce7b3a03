import type { Operation } from './contract.ts';

/** A request while it is made up. Everything is as it goes over the wire, but for the body. */
export type Draft = {
  operation: Operation;
  method: string;
  path: string;
  /** Encoded already. */
  query: [name: string, value: string][];
  headers: [name: string, value: string][];
  /** Becomes the body, unless `bytes` is set. */
  json: unknown;
  bytes: Buffer | undefined;
  /** A body comes without a word on its type. */
  omitsContentType: boolean;
  /** What was done to a request that the contract allows; empty while it does. */
  mutations: string[];
  /** With the right token, so that the contract has the last word. */
  isAuthorized: boolean;
};

export const bytesOf = ({ json, bytes }: Draft): Buffer | undefined =>
  bytes ?? (json === undefined ? undefined : Buffer.from(JSON.stringify(json)));

export const targetOf = ({ path, query }: Draft): string =>
  query.length === 0 ? path : `${path}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;

export const setHeader = (draft: Draft, name: string, value: string): void => {
  removeHeader(draft, name);
  draft.headers.push([name, value]);
};

export const removeHeader = (draft: Draft, name: string): void => {
  draft.headers = draft.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
};
