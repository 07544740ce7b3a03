/** A process or another step of a start or stop. */
export type Part = {
  name: string;
  /** The line that is printed with the seconds at the end, such as "postgres is ready"; absent for none. */
  done?: string | undefined;
  logFile?: string | undefined;
  /** The names of parts that this one needs, so that it cannot be ready before them. */
  waitsFor?: readonly string[] | undefined;
};

type RunningPart = Part & { since: number };

/** Half of the 20 s within which a line is due, because the timers of a busy machine are late. */
const quietSeconds = 10;

const secondsSince = (time: number): number => (performance.now() - time) / 1000;

const describeLate = ({ name, logFile, since }: RunningPart): string => {
  const details = [
    `${secondsSince(since).toFixed(0)} s`,
    ...(logFile === undefined ? [] : [`log: ${logFile}`]),
  ];
  return `${name} (${details.join(', ')})`;
};

/**
 * Prints a line when a part is done, and one that names the late parts whenever nothing was printed for
 * `seconds`.
 */
export const createProgress = (print: (line: string) => void, seconds = quietSeconds) => {
  const running = new Set<RunningPart>();
  let timer: NodeJS.Timeout | undefined;

  const isRunning = (name: string): boolean => [...running].some((part) => part.name === name);
  /** Whether another part that has not finished explains why this one has not. */
  const isBlocked = ({ waitsFor = [] }: Part): boolean => waitsFor.some(isRunning);

  const printLate = (): void => {
    const late = [...running].filter((part) => !isBlocked(part));
    log(`Waiting for ${late.map(describeLate).join(', ')}.`);
  };
  const restartTimer = (): void => {
    clearTimeout(timer);
    timer = running.size > 0 ? setTimeout(printLate, seconds * 1000) : undefined;
  };
  const log = (line: string): void => {
    print(line);
    restartTimer();
  };

  return {
    log,
    isBlocked,
    /** Runs a part, which is late until it ends. */
    run: async <Result>(part: Part, work: () => Promise<Result>): Promise<Result> => {
      const entry = { ...part, since: performance.now() };
      running.add(entry);
      if (timer === undefined) restartTimer();
      try {
        const result = await work();
        running.delete(entry);
        if (part.done !== undefined) log(`${part.done} (${secondsSince(entry.since).toFixed(1)} s).`);
        return result;
      } finally {
        running.delete(entry);
        if (running.size === 0) restartTimer();
      }
    },
  };
};

export type Progress = ReturnType<typeof createProgress>;
