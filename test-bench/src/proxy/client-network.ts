import type { IncomingMessage } from 'node:http';
import { validationFailed } from '@platform/shared/errors/app-error';
import { normaliseAddress } from '@platform/shared/network/client-address';
import { LABEL } from '../labels/label.ts';
import type { NetworkService } from '../labels/networks-service.ts';

/** Where a request comes from, for the gateway. */
export type Origin = { label: string | undefined; address: string };

const HEADERS = { label: 'x-test-label', network: 'x-test-network' } as const;

const invalidHeader = (name: string, message: string, rule: string) =>
  validationFailed(`The header ${name} is invalid`, [{ path: `/headers/${name}`, message, rule }]);

const readLabel = ({ headers }: IncomingMessage): string | undefined => {
  const { [HEADERS.label]: label } = headers;
  if (label === undefined || (typeof label === 'string' && LABEL.test(label))) return label;
  throw invalidHeader(HEADERS.label, `must match pattern "${LABEL.source}"`, 'pattern');
};

/** @throws AppError 400 if the header names a network of another label */
const selectNetwork = ({ headers }: IncomingMessage, networks: readonly string[]): string => {
  const { [HEADERS.network]: wanted } = headers;
  const network = wanted === undefined ? networks[0] : networks.find((each) => each === wanted);
  if (network !== undefined) return network;
  throw invalidHeader(HEADERS.network, 'must be a network of the label in X-Test-Label', 'enum');
};

/**
 * Finds out where a request comes from: from a network of its label, otherwise from the address of its client.
 * Returns a promise only for the first request of a label.
 * @throws AppError 400
 */
export const createOriginFinder =
  (networks: NetworkService) =>
  (req: IncomingMessage): Origin | Promise<Origin> => {
    const label = readLabel(req);
    if (label === undefined) {
      if (req.headers[HEADERS.network] !== undefined) selectNetwork(req, []);
      return { label, address: normaliseAddress(req.socket.remoteAddress ?? '') };
    }
    const known = networks.find(label);
    const toOrigin = (all: readonly string[]): Origin => ({ label, address: selectNetwork(req, all) });
    return known === undefined ? networks.list(label).then(toOrigin) : toOrigin(known);
  };
