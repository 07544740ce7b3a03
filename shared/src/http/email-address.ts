// The format `email` of ajv-formats in its fast form. It rejects empty labels in the local part and the
// domain, and accepts a domain without a dot.
const EMAIL =
  /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/i;

/** Used everywhere: for requests (format `email`), for claims of providers, and on the command line. */
export const isEmail = (text: string): boolean => EMAIL.test(text);
