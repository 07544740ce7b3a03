import { listOperations, type OpenApiDocument } from '@platform/shared/http/openapi-document';

/** The paths of the operations that need the configuration of WebAuthn. */
const PATHS = /\/(?:passkeys(?:\/.*)?|second-factor\/options|sign-in\/passkey(?:\/options)?)$/;

/** Document and operations of a service without passkeys, whose routes are unknown there. */
export const withoutPasskeys = <Operations extends object>(
  document: OpenApiDocument,
  operations: Operations,
): { document: OpenApiDocument; operations: Partial<Operations> } => {
  const paths = Object.entries(document.paths);
  const removed = Object.fromEntries(paths.filter(([path]) => PATHS.test(path)));
  const removedIds = new Set(listOperations({ ...document, paths: removed }).map(({ id }) => id));
  return {
    document: { ...document, paths: Object.fromEntries(paths.filter(([path]) => !(path in removed))) },
    operations: Object.fromEntries(
      Object.entries(operations).filter(([id]) => !removedIds.has(id)),
    ) as Partial<Operations>,
  };
};
