import { ERROR_CODE_HEADER } from '@platform/shared/http/error-responses';
import { collectLogLines } from '@platform/shared/testing/log-lines';
import { waitFor } from '@platform/shared/testing/poll';
import { send } from '@platform/shared/testing/responses';
import { expect } from 'chai';
import { getUnreachableUrl } from '../../testing/fake-upstream.ts';
import { useTestServers } from '../../testing/start-gateway.ts';

const ID = '0f8cbb56-9d34-4bd9-9d25-1c41a5b3a6a9';

describe('access log of the gateway', () => {
  const { startUpstream, startGatewayTo } = useTestServers();

  const request = async (url: string, path: string) => {
    const { output, lines } = collectLogLines();
    const gateway = await startGatewayTo([url], { logOutput: output });
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
    expect(response.headers).not.to.have.property(ERROR_CODE_HEADER.toLowerCase());
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
