/** TypeScript's DOM library does not have Trusted Types yet. */
type Policy = { createScriptURL: (url: string) => string };
type Factory = {
  createPolicy: (name: string, rules: { createScriptURL: (url: string) => string }) => Policy;
};

const requireOwnScript = (url: string): string => {
  const { origin, pathname } = new URL(url, window.location.href);
  if (origin === window.location.origin && pathname.startsWith(`${import.meta.env.BASE_URL}assets/`))
    return url;
  throw new TypeError(`Not a script of this page: ${url}`);
};

const { trustedTypes } = globalThis as { trustedTypes?: Factory };
const policy = trustedTypes?.createPolicy('platform', { createScriptURL: requireOwnScript });

/**
 * The only policy of the pages. It accepts the address of a worker that was built with them (`import url from
 * './x.ts?worker&url'`), because the content security policy enforces Trusted Types.
 */
export const trustWorker = (url: string): string => policy?.createScriptURL(url) ?? requireOwnScript(url);
