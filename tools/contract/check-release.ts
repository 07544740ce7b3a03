import { type BreakingChange, EVERY_OPERATION } from './compare-contracts.ts';

type Change = {
  /** `auth` for openapi/auth.yaml. */
  name: string;
  released: string;
  version: string;
  breakingChanges: BreakingChange[];
  /** The content of CHANGELOG.md. */
  changelog: string;
};

const SEMVER = /^(\d+)\.(\d+)\.(\d+)$/;
const parseVersion = (version: string): number[] => SEMVER.exec(version)?.slice(1).map(Number) ?? [];

/** 1.4.2 → 2.0.0; before 1.0.0 a minor version is enough: 0.4.2 → 0.5.0. */
const nextBreaking = (version: string): number[] => {
  const [major = 0, minor = 0] = parseVersion(version);
  return major === 0 ? [0, minor + 1, 0] : [major + 1, 0, 0];
};

const isBelow = (parts: number[], minimum: number[]): boolean => {
  for (const [index, part] of parts.entries()) {
    const other = minimum[index] ?? 0;
    if (part !== other) return part < other;
  }
  return false;
};

/** The changelog entries `- **Breaking** (auth 2.0.0): …` of this version, including indented continuation lines. */
const getBreakingNotes = ({ changelog, name, version }: Change): string =>
  changelog
    .split(/\n(?=\S|$)/)
    .filter((entry) => entry.startsWith(`- **Breaking** (${name} ${version})`))
    .join('\n');

/** What is missing before a contract with breaking changes may be released: a version, changelog notes, or nothing. */
export const checkRelease = (change: Change): string[] => {
  const { name, released, version, breakingChanges } = change;
  if (!SEMVER.test(version))
    return [`openapi/${name}.yaml: info.version ${version} is not of the form 1.2.3`];
  if (isBelow(parseVersion(version), parseVersion(released)))
    return [`openapi/${name}.yaml: info.version ${version} is below the released ${released}`];
  if (breakingChanges.length === 0) return [];
  const minimum = nextBreaking(released);
  const raise = isBelow(parseVersion(version), minimum)
    ? [`openapi/${name}.yaml: raise info.version from ${version} to ${minimum.join('.')}`]
    : [];
  const notes = getBreakingNotes({ ...change, version: raise.length > 0 ? minimum.join('.') : version });
  const isNamed = (operation: string) =>
    notes.includes(`\`${operation}\``) || notes.includes(EVERY_OPERATION);
  const unnamed = [...new Set(breakingChanges.map(({ operation }) => operation))].filter(
    (operation) => !isNamed(operation),
  );
  const target = raise.length > 0 ? minimum.join('.') : version;
  return [
    ...raise,
    ...unnamed.map(
      (operation) => `CHANGELOG.md: no line "- **Breaking** (${name} ${target}): …" names \`${operation}\``,
    ),
  ];
};
