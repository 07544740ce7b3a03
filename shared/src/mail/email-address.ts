// The format `email` of ajv-formats in its fast form. An empty label of the local part or of the domain is no address; a domain
// without a dot is one.
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Everywhere: in requests (format `email`), in what providers claim, and on the command line. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
