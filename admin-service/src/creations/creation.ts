import { hash } from 'node:crypto';
import { conflict } from '@platform/shared/errors/app-error';

/** The result of a PUT, which a service may repeat. */
export type Creation<Created> = { created: Created; isNew: boolean };

/**
 * Identifies the body that created a record, so that the same body finds it again. Null is left out, so that
 * an optional field of a later release does not change the digests of earlier ones.
 */
export const toCreationDigest = (body: object): Buffer => {
  const given = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  const sorted = given.sort(([one], [other]) => (one < other ? -1 : 1));
  return hash('sha256', JSON.stringify(sorted), 'buffer');
};

/** Errors of a PUT whose id names a record that another request has created. */
export const ALREADY_EXISTS = {
  project: () => conflict('PROJECT_EXISTS', 'A project with this id exists, which this body has not created'),
  team: () => conflict('TEAM_EXISTS', 'A team with this id exists, which this body has not created'),
  mail: () => conflict('MAIL_EXISTS', 'A mail with this id exists, which another body has created'),
};
export const idTaken = () => conflict('ID_TAKEN', 'A user, profile, project or team has this id');
