// biome-ignore-all lint/performance/noBarrelFile: one file for each language, which the first screen waits for.
export { COMMON } from './common-en.ts';
export { SIGNING_IN } from './signing-in-en.ts';
