import type { Contract } from './openapi-types.ts';

const METHODS = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

const listOperations = ({ paths }: Pick<Contract, 'paths'>): string[] =>
  Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => METHODS.has(key))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );

const KIND = /\/(?:customers\/auth|employees\/auth|auth\/admin)\//;

/** The operations that the released contract does not have; one that every kind has is listed once: `GET {kind}/passkeys`. */
export const findAdditions = (
  released: Pick<Contract, 'paths'>,
  current: Pick<Contract, 'paths'>,
): string[] => {
  const known = new Set(listOperations(released));
  const added = listOperations(current).filter((operation) => !known.has(operation));
  return [...new Set(added.map((operation) => operation.replace(KIND, '{kind}/')))];
};

/** Of the additions, those that the section Unreleased of the changelog does not name. */
export const findUnnamed = (additions: readonly string[], changelog: string): string[] => {
  const [, unreleased = ''] = changelog.split(/^## /m);
  return additions.filter((operation) => !unreleased.includes(`\`${operation}\``));
};
