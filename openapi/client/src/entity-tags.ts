const tags = new WeakMap<object, string>();

export const rememberEntityTag = (body: unknown, tag: string | null): void => {
  if (tag !== null && typeof body === 'object' && body !== null) tags.set(body, tag);
};

/**
 * The version of a project, for the option `ifMatch` of the call that changes it. Undefined unless a call has
 * returned this very object.
 */
export const entityTagOf = (body: object): string | undefined => tags.get(body);
