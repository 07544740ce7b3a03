import { ERROR_CODE_HEADER } from '@platform/shared/http/error-responses';
import { collectLogLines } from '@platform/shared/testing/log-lines';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getUnreachableUrl } from '../../testing/fake-upstream.ts';
import { useTestServers } from '../../testing/start-gateway.ts';

const HEADER = ERROR_CODE_HEADER.toLowerCase();
const ORDERS = '/api/v1/orders';
const ID = '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9';

describe('access log of the gateway', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  const request = async (url: string, path: string) => {
    const { output, lines } = collectLogLines();
    const services = [{ name: 'shop', prefixes: [ORDERS], urls: [url] }];
    const gateway = await startGatewayTo([url], { services, logOutput: output });
    const response = await send(gateway.url, 'GET', path);
    const line = await waitFor('the line of the request', () => lines.find(({ msg }) => msg === 'request'));
    return { response, line };
  };

  it('names the operation, the instance, and the code of an error that it forwards', async () => {
    const upstream = await startUpstream((req, res) => {
      res.writeHead(404, { 'Content-Type': 'application/json', [ERROR_CODE_HEADER]: 'USER_NOT_FOUND' });
      const requestId = req.headers['x-request-id'];
      const error = {
        statusCode: 404,
        error: 'Not Found',
        code: 'USER_NOT_FOUND',
        message: 'None',
        requestId,
      };
      res.end(JSON.stringify(error));
    });
    const { response, line } = await request(upstream.url, `/api/v1/users/${ID}`);
    expect(line).to.include({ operation: 'getUser', instance: upstream.url, status: 404 });
    expect(line).to.include({ errorCode: 'USER_NOT_FOUND' });
    expect(response.headers).not.to.have.property(HEADER);
  });

  it('ignores a code that is none, and the header of another service, which its client gets', async () => {
    const { url } = await startUpstream((req, res) => {
      const code = req.url === ORDERS ? 'SOLD_OUT' : 'not a code';
      res.writeHead(404, { [ERROR_CODE_HEADER]: code }).end();
    });
    const platform = await request(url, '/api/v1/users');
    expect(platform.line).not.to.have.property('errorCode');
    expect(platform.response.headers).not.to.have.property(HEADER);
    const service = await request(url, ORDERS);
    expect(service.line).not.to.have.property('errorCode');
    expect(service.response.headers).to.have.property(HEADER, 'SOLD_OUT');
  });

  it('does not send the header with errors of the gateway', async () => {
    const { response, line } = await request('http://127.0.0.1:1', '/nowhere');
    expect(line).to.include({ errorCode: 'ROUTE_NOT_FOUND' });
    expect(response.headers).not.to.have.property(HEADER);
  });

  it('names the instance that is unavailable', async () => {
    const url = await getUnreachableUrl();
    const { line } = await request(url, '/api/v1/users');
    expect(line).to.include({ operation: 'listUsers', instance: url, errorCode: 'UPSTREAM_UNAVAILABLE' });
  });

  it('names no instance of a request that it answers itself', async () => {
    const { line } = await request('http://127.0.0.1:1', '/nowhere');
    expect(line).not.to.have.any.keys('operation', 'instance');
  });
});
