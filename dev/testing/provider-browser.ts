import {
  createHttpClient,
  type HttpRequest,
  type HttpResponse,
  parseSetCookies,
} from '@platform/shared/testing/http-client';

const maxRedirects = 10;

const toForm = (fields: Record<string, string>): Pick<HttpRequest, 'method' | 'headers' | 'body'> => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(fields).toString(),
});

/** The browser of one person. It keeps the cookies of the provider and thus the session there. */
export const openProviderBrowser = () => {
  const cookies = new Map<string, string>();

  const send = async (url: URL, request: Partial<HttpRequest>): Promise<HttpResponse> => {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const response = await createHttpClient(url.origin).sendOrThrow({
      ...request,
      path: url.pathname + url.search,
      headers: { ...request.headers, ...(cookie && { cookie }) },
    });
    for (const { name, value } of parseSetCookies(response))
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    return response;
  };

  /** Follows redirects within the origin. Returns the page, or the address at another origin. */
  const open = async (
    start: URL,
    request: Partial<HttpRequest> = {},
  ): Promise<{ url: URL; page?: string }> => {
    let url = start;
    let response = await send(url, request);
    for (let count = 0; response.headers.location !== undefined && count < maxRedirects; count += 1) {
      url = new URL(response.headers.location, url);
      if (url.origin !== start.origin) return { url };
      response = await send(url, {});
    }
    if (response.status !== 200) throw new Error(`${url.href}: ${response.status} ${response.text}`);
    return { url, page: response.text };
  };

  const decide = async (authorizationUrl: string, fields: Record<string, string>): Promise<string> => {
    const first = await open(new URL(authorizationUrl));
    const last = first.page === undefined ? first : await open(first.url, toForm(fields));
    if (last.page !== undefined)
      throw new Error(`${last.url.href} shows a page instead of a redirect: ${last.page}`);
    return last.url.href;
  };

  return {
    /** Signs in and consents; skips the form if there is a session. @returns the callback URL */
    signIn: (authorizationUrl: string, sub: string) =>
      decide(authorizationUrl, { person: sub, decision: 'allow' }),
    /** Cancels on the sign-in page. @returns the callback URL, with `error=access_denied` */
    deny: (authorizationUrl: string) => decide(authorizationUrl, { decision: 'deny' }),
    /** Signs out at the provider. Resolves after it has sent its logout tokens. */
    signOut: async (issuer: string): Promise<void> => {
      const { url, page = '' } = await open(new URL(`${issuer}/session/end`));
      const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
      await open(new URL('/session/end/confirm', url), toForm({ xsrf, logout: 'yes' }));
    },
  };
};
