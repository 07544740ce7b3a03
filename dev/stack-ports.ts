import { portVariables, type StackConfig } from './config.ts';
import { type PortWish, type ReservedPort, reservePorts } from './ports.ts';

type PortKey =
  | keyof typeof portVariables
  | 'gatewayOps'
  | 'authOps'
  | 'adminOps'
  | 'workerOps'
  | 'postgres'
  | 'redis'
  | 'smtp';

export type StackPorts = Record<PortKey, ReservedPort>;

const loopback = '127.0.0.1';

/**
 * Reserves every port of the stack before anything is started.
 * @param patienceSeconds how long a fixed port is waited for
 * @throws StackError naming each fixed port that cannot be had, and its variable
 */
export const reserveStackPorts = (config: StackConfig, patienceSeconds: number): Promise<StackPorts> => {
  const { ports, listenHost, external } = config;
  const fixed = (key: keyof typeof portVariables, host: string): PortWish => ({
    port: ports[key],
    host,
    variable: portVariables[key],
  });
  const any = (host: string): PortWish => ({ port: 0, host });
  return reservePorts(
    {
      gateway: fixed('gateway', listenHost),
      auth: fixed('auth', listenHost),
      admin: fixed('admin', listenHost),
      inbox: external.smtpUrl ? any(loopback) : fixed('inbox', loopback),
      gatewayOps: any(listenHost),
      authOps: any(listenHost),
      adminOps: any(listenHost),
      workerOps: any(listenHost),
      postgres: any(loopback),
      redis: any(loopback),
      smtp: any(loopback),
    },
    patienceSeconds,
  );
};
