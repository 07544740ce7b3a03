import { type Break, EVERY_OPERATION } from './compare-contracts.ts';

type Change = {
  /** `auth` of openapi/auth.yaml. */
  name: string;
  released: string;
  version: string;
  breaks: Break[];
  /** The text of CHANGELOG.md. */
  changelog: string;
};

const SEMVER = /^(\d+)\.(\d+)\.(\d+)$/;
const partsOf = (version: string): number[] => SEMVER.exec(version)?.slice(1).map(Number) ?? [];

/** 1.4.2 → 2.0.0, and while nothing is promised yet 0.4.2 → 0.5.0. */
const nextBreaking = (version: string): number[] => {
  const [major = 0, minor = 0] = partsOf(version);
  return major === 0 ? [0, minor + 1, 0] : [major + 1, 0, 0];
};

const isBelow = (parts: number[], least: number[]): boolean => {
  for (const [index, part] of parts.entries()) {
    const other = least[index] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
};

/** The lines that stand for this version's breaks: `- **Breaking** (auth 2.0.0): …`, with what follows on indented lines. */
const notesOf = ({ changelog, name, version }: Change): string =>
  changelog
    .split(/\n(?=\S|$)/)
    .filter((entry) => entry.startsWith(`- **Breaking** (${name} ${version})`))
    .join('\n');

/** What is still missing before a contract that breaks its callers may be released; empty when nothing is. */
export const judgeRelease = (change: Change): string[] => {
  const { name, released, version, breaks } = change;
  if (!SEMVER.test(version))
    return [`openapi/${name}.yaml: info.version ${version} is not of the form 1.2.3`];
  if (isBelow(partsOf(version), partsOf(released)))
    return [`openapi/${name}.yaml: info.version ${version} is below the released ${released}`];
  if (breaks.length === 0) return [];
  const least = nextBreaking(released);
  const raise = isBelow(partsOf(version), least)
    ? [`openapi/${name}.yaml: raise info.version from ${version} to ${least.join('.')}`]
    : [];
  const notes = notesOf({ ...change, version: raise.length > 0 ? least.join('.') : version });
  const isNamed = (operation: string) =>
    notes.includes(`\`${operation}\``) || notes.includes(EVERY_OPERATION);
  const unnamed = [...new Set(breaks.map(({ operation }) => operation))].filter(
    (operation) => !isNamed(operation),
  );
  const target = raise.length > 0 ? least.join('.') : version;
  return [
    ...raise,
    ...unnamed.map(
      (operation) => `CHANGELOG.md: no line "- **Breaking** (${name} ${target}): …" names \`${operation}\``,
    ),
  ];
};
