import { expect } from 'chai';
import { proveIdentity } from '../src/account.ts';
import { failed, failure, noContent, useFakeGateway } from './fake-gateway.ts';

const USERS = ['/users/1', '/users/2'] as const;
const PROOF = '/auth/admin/proof';

describe('client after PROOF_REQUIRED', () => {
  const { responders, listRequests, createClient: create } = useFakeGateway();
  const createClient = (onProofRequired?: () => Promise<boolean>) =>
    create<'administrator'>({ kind: 'administrator', onProofRequired });
  let isProved = false;
  beforeEach(() => {
    isProved = false;
    responders.set(PROOF, (response, request) => {
      isProved = true;
      noContent(response, request);
    });
    for (const path of USERS)
      responders.set(path, (response, request) =>
        (isProved ? noContent : failure(403, 'PROOF_REQUIRED'))(response, request),
      );
  });
  const deleteUsers = (client: ReturnType<typeof createClient>) =>
    Promise.all(['1', '2'].map((id) => failed(client.DELETE('/users/{id}', { params: { path: { id } } }))));

  it('asks once for calls that are rejected at the same time, and repeats them', async () => {
    let questions = 0;
    const client = createClient(async () => {
      questions += 1;
      await proveIdentity(client, { currentPassword: 'Correct horse 1' });
      return true;
    });
    expect(await deleteUsers(client)).to.deep.equal(['resolved', 'resolved']);
    expect(questions).to.equal(1);
    expect(listRequests().filter((request) => request === `POST ${PROOF}`)).to.have.lengthOf(1);
  });

  it('rejects with it if nobody asks, if the user cancels, and if the repeated call needs one again', async () => {
    const rejected = ['PROOF_REQUIRED', 'PROOF_REQUIRED'];
    expect(await deleteUsers(createClient())).to.deep.equal(rejected);
    expect(await deleteUsers(createClient(async () => false))).to.deep.equal(rejected);
    const before = listRequests().length;
    expect(await deleteUsers(createClient(async () => true))).to.deep.equal(rejected);
    expect(listRequests().length - before).to.equal(4);
  });

  it('rejects with the reason of an abort while it asks', async () => {
    const controller = new AbortController();
    const client = createClient(() => {
      controller.abort(new Error('left'));
      return new Promise(() => undefined);
    });
    const call = client.DELETE('/users/{id}', { params: { path: { id: '1' } }, signal: controller.signal });
    expect(await failed(call)).to.have.property('message', 'left');
  });
});
