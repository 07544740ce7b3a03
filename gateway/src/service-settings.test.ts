import { ConfigError } from '@platform/shared/config/env';
import { loadPlatform } from '@platform/shared/testing/openapi-operations';
import { expect } from 'chai';
import { readServices } from './service-settings.ts';

const URLS = 'http://shop:4000';

const readPaths = (SERVICE_SHOP_PATHS: string, others: Record<string, string> = {}) =>
  readServices({ SERVICES: 'shop', SERVICE_SHOP_PATHS, SERVICE_SHOP_URLS: URLS, ...others });

describe('settings of other services', () => {
  it('are the prefixes and URLs of each service that has paths', () => {
    const services = readPaths('/api/v1/orders, /api/v1/customers/baskets', {
      SERVICES: 'shop,my-search,secret-only',
      SERVICE_MY_SEARCH_PATHS: '/api/v1/search',
      SERVICE_MY_SEARCH_URLS: 'http://10.0.0.1:1,http://10.0.0.2:1',
    });
    expect(services).to.deep.equal([
      { name: 'shop', prefixes: ['/api/v1/orders', '/api/v1/customers/baskets'], urls: [URLS] },
      {
        name: 'my-search',
        prefixes: ['/api/v1/search'],
        urls: ['http://10.0.0.1:1', 'http://10.0.0.2:1'],
      },
    ]);
  });

  it('reject every path of the platform', async () => {
    const { paths } = await loadPlatform();
    const segments = Object.keys(paths).map((path) => path.split('/').slice(1));
    const documented = segments.flatMap(([first, second]) =>
      second === 'auth' ? [`${first}/auth`, `${first}/auth/x`] : first || [],
    );
    const reserved = ['docs', 'internal', 'internal/v1', 'customers', 'employees', 'Users', 'projects/bids'];
    for (const path of new Set([...documented, ...reserved]))
      expect(() => readPaths(`/api/v1/orders,/api/v1/${path}`), path).to.throw(
        ConfigError,
        `SERVICE_SHOP_PATHS has paths of the platform: /api/v1/${path}`,
      );
    for (const path of ['customers/authors', 'employees/shifts', 'user', 'x/auth'])
      expect(readPaths(`/api/v1/${path}`)).to.have.length(1);
  });

  const MALFORMED = ['/orders', 'orders', '/api/v1', '/api/v1/', '/api/v1/a/', '/api/v1//a', '/api/v2/a'];
  for (const path of [
    ...MALFORMED,
    '/api/v1/a/../users',
    '/api/v1/./a',
    '/api/v1/%75sers',
    '/api/v1/a?b',
    ',',
  ])
    it(`reject the prefix ${path}`, () => {
      expect(() => readPaths(path)).to.throw(ConfigError, /^SERVICE_SHOP_PATHS must be a list of prefixes/);
    });

  it('reject paths without URLs, and URLs with a path or TLS', () => {
    for (const [urls, problem] of [
      ['', 'is required with SERVICE_SHOP_PATHS'],
      ['https://shop', 'must be a list of http://host:port'],
      ['http://shop/api', 'must be a list of http://host:port'],
    ] as const)
      expect(() => readPaths('/api/v1/orders', { SERVICE_SHOP_URLS: urls })).to.throw(
        ConfigError,
        `SERVICE_SHOP_URLS ${problem}`,
      );
  });

  for (const [shop, search] of [
    ['/api/v1/orders', '/api/v1/orders'],
    ['/api/v1/orders', '/api/v1/orders/search'],
    ['/api/v1/orders/search', '/api/v1/orders'],
  ] as const)
    it(`reject ${search} if another service has ${shop}`, () => {
      const others = { SERVICES: 'shop,search', SERVICE_SEARCH_URLS: URLS };
      expect(() => readPaths(shop, { ...others, SERVICE_SEARCH_PATHS: search })).to.throw(
        ConfigError,
        `SERVICE_SEARCH_PATHS: ${search} overlaps ${shop} of SERVICE_SHOP_PATHS`,
      );
      expect(readPaths(shop, { ...others, SERVICE_SEARCH_PATHS: '/api/v1/ordersearch' })).to.have.length(2);
    });

  it('name the problems of all services', () => {
    const others = { SERVICES: 'shop,search', SERVICE_SEARCH_PATHS: '/api/v1/users' };
    expect(() => readPaths('/api/v1', others)).to.throw(
      ConfigError,
      /SERVICE_SHOP_PATHS.*SERVICE_SEARCH_PATHS/,
    );
  });
});
