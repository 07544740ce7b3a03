import { createHmac } from 'node:crypto';
import type { Secret } from '../config/secrets.ts';
import type { Metrics } from './metrics.ts';

/**
 * 32 bits distinguish two secrets and reveal neither. Because the hash contains the name, equal secrets with
 * different names have different fingerprints.
 */
const fingerprintOf = (name: string, value: string): string =>
  createHmac('sha256', value).update(`fingerprint of ${name}`).digest('hex').slice(0, 8);

/** Exports which secrets the process has, by name, so that alerts find processes that differ. */
export const registerSecretFingerprints = (
  metrics: Metrics,
  secrets: Readonly<Record<string, Secret>>,
): void => {
  const samples = Object.entries(secrets).flatMap(([secret, { current, previous }]) =>
    [current, ...previous].map((value, index) => ({
      labels: {
        secret,
        fingerprint: fingerprintOf(secret, value),
        state: index === 0 ? 'current' : 'previous',
      },
      value: 1,
    })),
  );
  metrics.sampledGauge(
    'shared_secret',
    'A secret that several processes have: its fingerprint, and whether the process signs with it (current) or only verifies (previous)',
    ['secret', 'fingerprint', 'state'],
    () => samples,
  );
};
