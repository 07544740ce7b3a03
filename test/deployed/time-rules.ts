import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { StackFile } from '@platform/shared/testing/stack';
import { findOutcomes, type Rule } from '@platform/test-bench-server/test/rules/rule';
import { RULES } from '@platform/test-bench-server/test/rules/rules';
import { openWorlds } from '@platform/test-bench-server/test/rules/stack-world';
import type { Checks, Section } from './probe.ts';

/** Settings that a test bench does not have by default. `npm test` runs the rules that need them. */
const NEEDS: [rule: RegExp, setting: string][] = [
  [/new device|needs no code/, 'NEW_DEVICE_CODE=on'],
  [/SESSION_MAX_AGE/, 'SESSION_MAX_AGE'],
  [/another service/, 'SERVICES'],
  [/thirty-first|fourth further/, 'a greater RATE_LIMIT_SCALE'],
];

const readJson = async (file: string) => JSON.parse(await readFile(file, 'utf8'));

/** Runs the rules of time of an account at a test bench on this machine. */
export const openTimeRules = async (stackFile: string) => {
  const stack: StackFile = await readJson(stackFile);
  const secrets: { CODE_SECRET_KEY: string } = await readJson(join(dirname(stackFile), 'secrets.json'));
  const { createWorld, close } = await openWorlds(stack, secrets.CODE_SECRET_KEY, stack.authUrl);
  const toCheck =
    (rule: Rule): Checks[string] =>
    async ({ check, skip }) => {
      const [, setting] = NEEDS.find(([names]) => names.test(rule.name)) ?? [];
      if (setting) skip(`needs ${setting}`);
      const { before, after } = await findOutcomes(rule, createWorld(randomUUID()));
      check(before === rule.before, `${before} before the limit instead of ${rule.before}`);
      check(after === rule.after, `${after} after the limit instead of ${rule.after}`);
    };
  const checks = Object.fromEntries(RULES.map((rule) => [rule.name, toCheck(rule)]));
  const section: Section = { title: 'Rules of time', checks: () => [checks] };
  return { section, close };
};
