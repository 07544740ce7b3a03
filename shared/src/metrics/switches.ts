import type { Metrics } from './metrics.ts';

const isOff = (value: unknown): boolean => value === 'off';
const hasItems = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** The switches for incidents (docs/runbooks.md), and which values of their settings activate them. */
const SWITCHES = {
  SIGN_UP: isOff,
  EMAIL_CODE_SIGN_IN: isOff,
  BLOCKED_PATHS: hasItems,
  BLOCKED_NETWORKS: hasItems,
};

/** Exports which switches of the process are active, so that none is forgotten. */
export const registerSwitches = (metrics: Metrics, readValues: Readonly<Record<string, unknown>>): void => {
  const samples = Object.entries(SWITCHES)
    .filter(([setting]) => setting in readValues)
    .map(([setting, isActive]) => [setting, isActive(readValues[setting]) ? 1 : 0]);
  metrics.labeledGauge(
    'switch_active',
    'Whether a switch for incidents is active (1) or not (0)',
    'switch',
    () => Object.fromEntries(samples),
  );
};
