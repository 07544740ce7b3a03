import { isPlatformError } from '@platform/client';
import { expect } from 'chai';
import { deleteAccount } from '../src/account.ts';
import { AUTH, CREDENTIALS, caught, useFakeGateway } from './fake-gateway.ts';

const PATH = '/administrator/mails/1/retry';

describe('client without a response', () => {
  const { responders, createClient, signIn } = useFakeGateway();

  it('names the request that may have changed something, as the platform knows it', async () => {
    let received: unknown;
    responders.set(PATH, (response, request) => {
      received = request.headers['x-request-id'];
      response.destroy();
    });
    const client = createClient<'administrator'>({ kind: 'administrator' });
    const error = await caught(
      client.POST('/administrator/mails/{id}/retry', { params: { path: { id: '1' } } }),
    );
    expect(isPlatformError(error, 'GATEWAY_UNREACHABLE') && error.requestId)
      .to.be.a('string')
      .and.equal(received);
  });

  it('names the deletion of an account', async () => {
    let received: unknown;
    responders.set(`${AUTH}/account/delete`, (response, request) => {
      received = request.headers['x-request-id'];
      response.destroy();
    });
    const client = await signIn();
    const error = await caught(deleteAccount(client, { currentPassword: CREDENTIALS.password }));
    expect(isPlatformError(error, 'GATEWAY_UNREACHABLE') && error.requestId)
      .to.be.a('string')
      .and.equal(received);
  });

  it('names no request that only reads', async () => {
    responders.set('/administrator/mails', (response) => response.destroy());
    const client = createClient<'administrator'>({ kind: 'administrator' });
    const error = await caught(client.GET('/administrator/mails'));
    expect(isPlatformError(error, 'GATEWAY_UNREACHABLE') && error.requestId).to.equal(undefined);
  });
});
