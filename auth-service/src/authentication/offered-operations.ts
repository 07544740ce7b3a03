import {
  listOperations,
  type OpenApiDocument,
  withoutUnusedComponents,
} from '@platform/shared/openapi/openapi-document';

/** Each feature that a setting can switch off, with a pattern of the paths of its operations. */
const SWITCHED_OFF = {
  passkeys: /\/(?:passkeys(?:\/.*)?|second-factor\/options|sign-in\/passkey(?:\/options)?)$/,
  emailCodes: /\/sign-in\/email-code(?:\/send)?$/,
};

type Offer = Record<keyof typeof SWITCHED_OFF, boolean>;

/** Leaves the operations of features that are switched off out of the document and the handlers. */
export const selectOffered = <Operations extends object>(
  complete: OpenApiDocument,
  operations: Operations,
  offers: Offer,
) => {
  const hidden = Object.entries(SWITCHED_OFF).flatMap(([name, pattern]) =>
    offers[name as keyof Offer] ? [] : [pattern],
  );
  const paths = Object.entries(complete.paths).filter(
    ([path]) => !hidden.some((pattern) => pattern.test(path)),
  );
  const document = withoutUnusedComponents({ ...complete, paths: Object.fromEntries(paths) });
  const names = new Set(listOperations(document).map(({ name }) => name));
  const offered = Object.entries(operations).filter(([name]) => names.has(name));
  return { document, operations: Object.fromEntries(offered) };
};
