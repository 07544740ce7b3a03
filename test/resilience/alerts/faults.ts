import type { Fault } from './fault.ts';
import { ACCOUNT_FAULTS } from './faults/accounts.ts';
import { ENGINE_FAULTS } from './faults/engines.ts';
import { MAIL_FAULTS } from './faults/mails.ts';
import { OTHER_SERVICE_FAULTS } from './faults/other-services.ts';
import { PROCESS_FAULTS } from './faults/processes.ts';
import { REQUEST_FAULTS } from './faults/requests.ts';

/** At least one fault for each alert except CleanupNeverRan, which needs 26 hours, and Watchdog, which always fires. */
const FAULTS: readonly Fault[] = [
  ...REQUEST_FAULTS,
  ...ENGINE_FAULTS,
  ...PROCESS_FAULTS,
  ...ACCOUNT_FAULTS,
  ...MAIL_FAULTS,
  ...OTHER_SERVICE_FAULTS,
];

const findLongest = (faults: readonly Fault[]): number => Math.max(...faults.map(({ minutes }) => minutes));

/** Groups the faults by platform, the longest first. */
export const selectFaults = (isSelected: (fault: Fault) => boolean): Fault[][] =>
  [
    ...Map.groupBy(
      FAULTS.filter(isSelected),
      ({ sharedPlatform, cause }) => sharedPlatform ?? cause,
    ).values(),
  ].sort((some, others) => findLongest(others) - findLongest(some));
