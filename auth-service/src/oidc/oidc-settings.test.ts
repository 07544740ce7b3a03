import { ConfigError } from '@platform/shared/config/env';
import { expect } from 'chai';
import { createRedirectUriCheck, readOidcSettings } from './oidc-settings.ts';

const PROVIDER = {
  OIDC_OUR_COMPANY_ISSUER: 'https://login.example.com/realm',
  OIDC_OUR_COMPANY_CLIENT_ID: 'platform',
  OIDC_OUR_COMPANY_CLIENT_SECRET: 'secret',
};
const OTHER_PROVIDER = {
  OIDC_OTHER_ISSUER: 'https://login.example.org',
  OIDC_OTHER_CLIENT_ID: 'platform',
  OIDC_OTHER_CLIENT_SECRET: 'secret',
};
const SEVERAL = ['our-company', 'other'];
const FRONTEND = 'https://app.example.com/callback';

const read = (
  environment: Record<string, string>,
  NODE_ENV = 'production',
  uris = [FRONTEND],
  pageCallbacks: string[] = [],
  OIDC_PROVIDERS = ['our-company'],
) =>
  readOidcSettings(
    { ...PROVIDER, ...OTHER_PROVIDER, ...environment },
    { NODE_ENV, OIDC_PROVIDERS, OIDC_REDIRECT_URIS: uris },
    pageCallbacks,
  );
/** Returns whether the provider may return to an address. */
const createCheck = (...[environment, ...others]: Parameters<typeof read>) => {
  const isAllowed = createRedirectUriCheck(read(environment, ...others).redirectUris);
  return (uri: string, provider = 'our-company') => isAllowed(provider, uri);
};

const getError = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).to.be.instanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('The settings were accepted');
};

describe('OpenID Connect settings', () => {
  it('have defaults for all except issuer, client and secret', () => {
    expect(read({}).providers).to.deep.equal([
      {
        id: 'our-company',
        name: 'our-company',
        issuer: 'https://login.example.com/realm',
        clientId: 'platform',
        clientSecret: 'secret',
        scopes: 'openid email profile',
        kinds: ['customer', 'employee'],
        allowsSignUp: true,
        domains: [],
        verifiesSecondFactor: false,
      },
    ]);
  });

  it('of a provider are found by its name', () => {
    const [provider] = read({
      OIDC_OUR_COMPANY_NAME: 'Our company',
      OIDC_OUR_COMPANY_SCOPES: 'openid email',
      OIDC_OUR_COMPANY_KINDS: 'administrators, employees',
      OIDC_OUR_COMPANY_SIGN_UP: 'off',
      OIDC_OUR_COMPANY_DOMAINS: 'Example.com,example.org',
      OIDC_OUR_COMPANY_SECOND_FACTOR: 'on',
    }).providers;
    expect(provider).to.deep.include({
      name: 'Our company',
      scopes: 'openid email',
      kinds: ['administrator', 'employee'],
      allowsSignUp: false,
      domains: ['example.com', 'example.org'],
      verifiesSecondFactor: true,
    });
    expect(read({ OIDC_OUR_COMPANY_DOMAINS: '*' }).providers[0]?.domains).to.deep.equal(['*']);
  });

  for (const [name, value] of [
    ['ISSUER', ''],
    ['ISSUER', 'http://login.example.com'],
    ['ISSUER', 'http://localhost:8080'],
    ['ISSUER', 'https://login.example.com?tenant=a'],
    ['CLIENT_ID', ''],
    ['CLIENT_SECRET', ''],
    ['SCOPES', 'email profile'],
    ['KINDS', 'customers,robots'],
    ['SIGN_UP', 'yes'],
    ['DOMAINS', 'user@example.com'],
    ['DOMAINS', '*.example.com'],
    ['SECOND_FACTOR', 'mfa'],
  ])
    it(`are rejected by name with ${name}=${value}`, () => {
      const variable = `OIDC_OUR_COMPANY_${name}`;
      expect(getError(() => read({ [variable]: value ?? '' }))).to.include(variable);
    });

  for (const uri of [
    'https://app.example.com',
    'https://app.example.com/callback?from=a',
    'https://app.example.com/callback#',
    'http://app.example.com/callback',
    'http://localhost:5173/callback',
    'com.example.app:/callback',
    'https://user@app.example.com/callback',
  ])
    it(`reject ${uri} as a redirect address in production`, () => {
      expect(getError(() => read({}, 'production', [uri]))).to.include('OIDC_REDIRECT_URIS');
    });

  it('require redirect addresses in production', () => {
    expect(getError(() => read({}, 'production', []))).to.include('OIDC_REDIRECT_URIS is required');
  });

  it('allow the addresses of the pages beside listed ones, which are then optional', () => {
    const pages = ['https://api.example.com/console/callback/{provider}'];
    const page = 'https://api.example.com/console/callback/our-company';
    for (const uris of [[], [FRONTEND]]) {
      const isAllowed = createCheck({}, 'production', uris, pages);
      for (const uri of [...uris, page]) expect(isAllowed(uri), uri).to.equal(true);
      for (const uri of [...pages, `${page}/`, 'http://localhost:5173/callback'])
        expect(isAllowed(uri), uri).to.equal(false);
    }
    const isAllowedInDevelopment = createCheck({}, 'development', [], pages);
    for (const uri of [page, 'http://localhost:5173/callback'])
      expect(isAllowedInDevelopment(uri), uri).to.equal(true);
  });

  it('allow only listed redirect addresses, or in development those of this machine without a list', () => {
    const isAllowed = createCheck({});
    expect(isAllowed(FRONTEND)).to.equal(true);
    for (const other of [
      ...[`${FRONTEND}/`, `${FRONTEND}?a=b`, `${FRONTEND}#evil`, `${FRONTEND}/../callback`, ` ${FRONTEND}`],
      ...['http://localhost/', FRONTEND.toUpperCase(), FRONTEND.replace('https', 'http')],
      ...['https://app.example.com:443/callback', 'https://app.example.com./callback'],
      ...['https://app.example.com@evil.example/callback', 'https://app.example.com.evil.example/callback'],
      ...['https://аpp.example.com/callback', 'https://app.example.com/%63allback'],
      ...['https://app.example.com\\@evil.example/callback', 'https://app.example.com//callback'],
    ])
      expect(isAllowed(other), other).to.equal(false);
    const isAllowedInDevelopment = createCheck(
      { OIDC_OUR_COMPANY_ISSUER: 'http://127.0.0.1:8080' },
      'development',
      [],
    );
    for (const uri of ['http://localhost:5173/callback', 'https://127.0.0.1/', 'http://[::1]:3000/a/b'])
      expect(isAllowedInDevelopment(uri), uri).to.equal(true);
    for (const uri of [
      'http://localhost.example.com/',
      'http://localhost',
      'http://localhost/?a=b',
      FRONTEND,
    ])
      expect(isAllowedInDevelopment(uri), uri).to.equal(false);
  });

  it('let a provider return to an address with its name in place of {provider}', () => {
    for (const providers of [['our-company'], SEVERAL]) {
      const isAllowed = createCheck({}, 'production', [`${FRONTEND}/{provider}`], [], providers);
      expect(isAllowed(`${FRONTEND}/our-company`)).to.equal(true);
      for (const uri of [
        `${FRONTEND}/other`,
        `${FRONTEND}/{provider}`,
        `${FRONTEND}/%7Bprovider%7D`,
        FRONTEND,
      ])
        expect(isAllowed(uri), uri).to.equal(false);
    }
  });

  it('let each of several providers return only to an address that ends with its name', () => {
    const uris = [
      FRONTEND,
      ...SEVERAL.map((name) => `${FRONTEND}/${name}`),
      'https://app.example.com/{provider}/end',
    ];
    const pages = ['https://api.example.com/console/callback/{provider}'];
    const isListed = createCheck({}, 'production', uris, pages, SEVERAL);
    const isAllowedInDevelopment = createCheck({}, 'development', [], pages, SEVERAL);
    const isListedAlone = createCheck({}, 'production', uris, pages);
    for (const uri of [`${FRONTEND}/our-company`, 'https://api.example.com/console/callback/our-company']) {
      expect([isListed(uri), isListed(uri, 'other'), isListedAlone(uri)], uri).to.deep.equal([
        true,
        false,
        true,
      ]);
    }
    for (const uri of [FRONTEND, 'https://app.example.com/our-company/end'])
      expect([isListed(uri), isListed(uri, 'other'), isListedAlone(uri)], uri).to.deep.equal([
        false,
        false,
        true,
      ]);
    expect(isAllowedInDevelopment('http://localhost:5173/our-company')).to.equal(true);
    for (const path of [
      '',
      'callback',
      'other',
      'our-company/',
      'not-our-company',
      'OUR-COMPANY',
      'our%2Dcompany',
    ])
      expect(isAllowedInDevelopment(`http://localhost:5173/${path}`), path).to.equal(false);
  });

  it('require an address for each of several providers', () => {
    const pages = ['https://api.example.com/console/callback/{provider}'];
    for (const [uris, callbacks, missing] of [
      [[FRONTEND], [], 'our-company, other'],
      [[FRONTEND], pages, 'our-company, other'],
      [[`${FRONTEND}/other`], [], 'our-company'],
      [[`${FRONTEND}/{provider}/`], [], 'our-company, other'],
    ] as const)
      for (const mode of ['production', 'development'])
        expect(getError(() => read({}, mode, [...uris], [...callbacks], SEVERAL))).to.include(
          `OIDC_REDIRECT_URIS needs an address for ${missing}:`,
        );
    for (const [uris, callbacks] of [
      [[FRONTEND, `${FRONTEND}/{provider}`], []],
      [[`${FRONTEND}/other`], pages],
      [[], pages],
    ] as const)
      read({}, 'production', [...uris], [...callbacks], SEVERAL);
  });
});
