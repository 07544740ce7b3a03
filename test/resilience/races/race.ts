/** What one round found: how it ended for each of those who raced, and which invariants they broke. */
export type Round = { ends: string[]; violations: string[] };

/** Requests that meet at one thing, again and again. */
export type Race = {
  name: string;
  /** How many meet in a round. */
  atOnce: number;
  run: (round: number) => Promise<Round>;
};

/** Collects what does not hold. */
export const createJudge = () => {
  const violations: string[] = [];
  return {
    violations,
    /** `found` shows what was there instead. */
    expect: (holds: boolean, what: string, found?: unknown): void => {
      if (!holds) violations.push(found === undefined ? what : `${what}, but ${found}`);
    },
  };
};

export type Judge = ReturnType<typeof createJudge>;
