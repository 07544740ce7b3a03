/** Numbers from 0 to 1 that look random and are the same at each start (mulberry32). */
export const createDice = (seed: number) => {
  let state = seed;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    roll,
    /** True in this share of the calls. */
    happens: (share: number): boolean => roll() < share,
    between: (low: number, high: number): number => low + roll() * (high - low),
  };
};
