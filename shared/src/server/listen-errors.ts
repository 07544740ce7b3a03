/** Codes of a host that is no address of this machine, so that another port would not help. */
const HOST_CODES = ['EADDRNOTAVAIL', 'ENOTFOUND', 'EAI_AGAIN', 'EINVAL'];

export const isHostError = (code: string): boolean => HOST_CODES.includes(code);

export const describeHostError = (host: string, code: string): string =>
  `LISTEN_HOST: ${host} is not an address of this machine (${code})`;
