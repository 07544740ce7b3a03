import { escapeHtml } from '@platform/shared/http/escape-html';
import express, { type RequestHandler, Router } from 'express';
import type Provider from 'oidc-provider';

/** A person at the provider; `sub` identifies them. Undefined claims are absent from tokens. */
export type Person = {
  sub: string;
  email?: string;
  emailVerified?: boolean;
  name?: string;
  /** How the person authenticates at the provider, for example `['pwd', 'otp']` (RFC 8176). */
  amr?: string[];
};

/** The people of a provider by their `sub`. */
export type People = Map<string, Person>;

const policy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'";

export const renderPage = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark }
      body { font: 1rem/1.5 system-ui, sans-serif; max-width: 26rem; margin: 3rem auto; padding: 0 1rem }
      label, select { display: block; width: 100%; margin-bottom: .5rem }
      select, button { font: inherit; padding: .5rem }
    </style>
  </head>
  <body><main><h1>${title}</h1>${content}</main></body>
</html>`;

const renderOption = ({ sub, email = sub, emailVerified }: Person): string =>
  `<option value="${escapeHtml(sub)}">${escapeHtml(email)}${emailVerified === true ? '' : ' (not verified)'}</option>`;

const renderSignIn = (people: People): string =>
  renderPage(
    'Sign in at the provider',
    `<p>This provider is for development and does not ask for a password.</p>
    <form method="post">
      <label for="person">Account</label>
      <select id="person" name="person">${[...people.values()].map(renderOption).join('')}</select>
      <button name="decision" value="allow">Sign in</button>
      <button name="decision" value="deny">Cancel</button>
    </form>`,
  );

/** The page at the address of the provider, which `npm start` prints. */
const renderOverview = (people: People): string =>
  renderPage(
    'OpenID provider for development',
    `<p>Sign in at the platform with the provider <code>company</code>: it shows these accounts and asks for
      no password.</p>
    <ul>${[...people.values()].map(({ sub, email = sub }) => `<li>${escapeHtml(email)}</li>`).join('')}</ul>
    <p>For programs: <a href="/.well-known/openid-configuration">its configuration</a>.</p>`,
  );

const denied = { error: 'access_denied', error_description: 'The person cancelled the sign-in' };

/** The overview, and the page on which a person signs in and consents, or cancels. */
export const createProviderPages = (getProvider: () => Provider, people: People): Router => {
  const show: RequestHandler = async (req, res) => {
    await getProvider().interactionDetails(req, res); // otherwise the page would be shown for an unknown interaction
    res.set('Content-Security-Policy', policy).type('html').send(renderSignIn(people));
  };
  const decide: RequestHandler = async (req, res) => {
    const person = people.get(String(req.body.person));
    const isAllowed = req.body.decision === 'allow' && person !== undefined;
    const allowed = {
      login: { accountId: person?.sub ?? '', ...(person?.amr && { amr: person.amr }) },
      consent: {},
    };
    await getProvider().interactionFinished(req, res, isAllowed ? allowed : denied, {
      mergeWithLastSubmission: false,
    });
  };
  const overview: RequestHandler = (_req, res) => {
    res.set('Content-Security-Policy', policy).type('html').send(renderOverview(people));
  };
  return Router()
    .get('/', overview)
    .get('/interaction/:uid', show)
    .post('/interaction/:uid', express.urlencoded({ extended: false }), decide);
};
