import { readFileSync } from 'node:fs';

export type Memory = Record<string, number>;

/** Resident memory of each process, in megabytes. Only Linux tells. */
export const readMemory = (pids: Record<string, number>): Memory =>
  Object.fromEntries(
    Object.entries(pids).map(([name, pid]) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return [name, Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1_024];
    }),
  );
