import { collectLogLines } from '@platform/shared/testing/log-lines';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { useTestServers } from '../../testing/start-gateway.ts';

describe('corrected addresses of pages', () => {
  const { startUpstream, startGatewayTo } = useTestServers();
  const start = async () => {
    const upstream = await startUpstream();
    const { output, lines } = collectLogLines();
    const { url } = await startGatewayTo([upstream.url], { logOutput: output });
    const untilLogged = (id: unknown) =>
      waitFor('the line of the request', () =>
        lines.find(({ msg, requestId }) => msg === 'request' && requestId === id),
      );
    return { url, lines, upstream, untilLogged };
  };

  it('have the # that a mail filter has encoded', async () => {
    const { url } = await start();
    for (const [path, location] of [
      [
        '/account/customer/sign-in%23code=148488&email=ada%40example.net',
        '/account/customer/sign-in#code=148488&email=ada%40example.net',
      ],
      [
        '/account/customer/verify%23code=1&email=a%2Fb%2B%2E.%40c.de',
        '/account/customer/verify#code=1&email=a%2Fb%2B%2E.%40c.de',
      ],
      ['/console/invitation%23abcd-efgh?from=filter', '/console/invitation?from=filter#abcd-efgh'],
      ['/account/%23devices', '/account/#devices'],
      ['/account/customer/%23password', '/account/customer/#password'],
      ['/account/customer/sign-in/%23code=1', '/account/customer/sign-in#code=1'],
      ['/console%23x%23y', '/console#x%23y'],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await send(url, method, path);
        expect({ status, ...headers }, path).to.include({
          status: 302,
          location,
          'cache-control': 'no-store',
        });
      }
  });

  it('have no slash too many', async () => {
    const { url } = await start();
    for (const [path, location] of [
      ['/account/customer/sign-in/?language=de', '/account/customer/sign-in?language=de'],
      ['/console/users/', '/console/users'],
      ['/console//users///', '/console/users'],
      ['/account/customer//', '/account/customer/'],
      ['//account/employee/sign-up', '/account/employee/sign-up'],
    ] as const) {
      const { status, headers } = await send(url, 'GET', path);
      expect({ status, ...headers }, path).to.include({ status: 301, location });
    }
  });

  it('never lead to another host, nor from a path that is ambiguous', async () => {
    const { url } = await start();
    for (const [path, location] of [
      ['/account/%23//evil.example/', '/account/#//evil.example/'],
      ['//account//%23https://evil.example', '/account/#https://evil.example'],
      [
        '/account/%23%0d%0aLocation:%20https://evil.example',
        '/account/#%0d%0aLocation:%20https://evil.example',
      ],
    ] as const)
      expect((await send(url, 'GET', path)).headers).to.have.property('location', location);
    for (const path of [
      ...['//evil.example/%23x', '/%23//evil.example', '/accounts%23x', '/account@evil.example%23x'],
      ...['/account/..//evil.example%23x', '/account/%2e%2e//evil.example%23x', '/api/v1/users%23x'],
      ...['/account/%5cevil.example/', '/account/%5c%23x'],
    ])
      expect((await send(url, 'GET', path)).headers, path).not.to.have.property('location');
    expect((await send(url, 'POST', '/account/customer/sign-in%23x')).headers).not.to.have.property(
      'location',
    );
  });

  it('end before the code in every log, whatever the path and the method', async () => {
    const { url, lines, untilLogged } = await start();
    for (const [method, path, logged] of [
      ['GET', '/account/customer/sign-in%23code=SECRET', '/account/customer/sign-in'],
      ['POST', '/account/customer/sign-in%23code=SECRET', '/account/customer/sign-in'],
      ['GET', '/account/customer/sign-in%2523code=SECRET', '/account/customer/sign-in'],
      ['GET', '/api/v1/users%23SECRET', '/api/v1/users'],
      ['GET', '/api/v1/users#SECRET', '/api/v1/users'],
      ['GET', '/nowhere?code=SECRET', '/nowhere'],
    ] as const) {
      const { headers } = await send(url, method, path);
      expect((await untilLogged(headers['x-request-id']))['path'], path).to.equal(logged);
    }
    expect(JSON.stringify(lines)).not.to.include('SECRET');
  });
});
