import { isPlatformError } from '@platform/client';
import { expect } from 'chai';
import { deleteAccount } from '../src/account.ts';
import { getSession } from '../src/session.ts';
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

  it('names the deletion of an account, and a sign-in', async () => {
    const received: unknown[] = [];
    for (const path of [`${AUTH}/account/delete`, `${AUTH}/passkeys/sign-in`])
      responders.set(path, (response, request) => {
        received.push(request.headers['x-request-id']);
        response.destroy();
      });
    const client = await signIn();
    const { openSession } = getSession(client);
    const errors = [
      await caught(deleteAccount(client, { currentPassword: CREDENTIALS.password })),
      await caught(openSession('passkeys/sign-in', {})),
    ];
    const named = errors.map((error) => isPlatformError(error, 'GATEWAY_UNREACHABLE') && error.requestId);
    expect(named).to.deep.equal(received).and.not.include(undefined);
  });

  it('names no request that only reads', async () => {
    responders.set('/administrator/mails', (response) => response.destroy());
    const client = createClient<'administrator'>({ kind: 'administrator' });
    const error = await caught(client.GET('/administrator/mails'));
    expect(isPlatformError(error, 'GATEWAY_UNREACHABLE') && error.requestId).to.equal(undefined);
  });
});
