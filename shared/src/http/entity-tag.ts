import { AppError } from '../errors/app-error.ts';

/** The header of a response with one version of a resource. */
export const toEntityTag = (version: string): { ETag: string } => ({ ETag: `"${version}"` });

/**
 * Compares the header `If-Match` with the current version (RFC 9110, 13.1.1): `*`, or a list of entity tags.
 * The caller holds a lock, so that no other change comes in between.
 * @throws AppError 412 CHANGED_MEANWHILE
 */
export const requireMatch = (ifMatch: string | undefined, version: string): void => {
  if (ifMatch === undefined) return;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  if (!tags.includes('*') && !tags.includes(toEntityTag(version).ETag))
    throw new AppError('CHANGED_MEANWHILE', 412, 'It has changed since the version in If-Match');
};
