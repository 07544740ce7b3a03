import { randomInt } from 'node:crypto';

/** A whole number that makes the whole run: FUZZ_SEED, else any. */
export const chooseSeed = (): number => Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31));

/** mulberry32: small, quick, and the same on every machine. */
const createGenerator = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Choices that depend on the seed and on nothing else; each request of a run has its own. */
export const createRandom = (seed: number, number = 0) => {
  const next = createGenerator(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const int = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  const pick = <Item>(items: readonly Item[]): Item => {
    if (items.length === 0) throw new Error('There is nothing to choose from');
    return items[int(0, items.length - 1)] as Item;
  };
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => int(0, 15).toString(16)).join('');
  return {
    int,
    pick,
    hex,
    chance: (share: number): boolean => next() < share,
    uuid: (): string => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
};

export type Random = ReturnType<typeof createRandom>;
