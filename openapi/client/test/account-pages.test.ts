import { expect } from 'chai';
import { addSessionToAddress, takeSessionFromAddress } from '../src/account-pages.ts';
import { createMemoryStorage } from '../src/device.ts';
import { ANOTHER, AUTH, failed, failure, json, session, useFakeGateway, user } from './fake-gateway.ts';

const FINGERPRINT = '5f0c 1&a';
const FROM_PAGES = `#platform-fingerprint=${encodeURIComponent(FINGERPRINT)}`;

describe('return of the account pages to a client', () => {
  const { responders, requests, createClient, signIn, listRequests } = useFakeGateway();
  const globals = globalThis as { location?: object; history?: object };
  let address: string;
  const open = (hash: string): void => {
    globals.location = { pathname: '/orders', search: '?page=2', hash };
    globals.history = {
      state: null,
      replaceState: (_state: unknown, _title: string, url: string) => {
        address = url;
      },
    };
  };
  beforeEach(() => {
    address = 'unchanged';
    responders.set(`${AUTH}/session`, json(200, { user, session }));
  });
  afterEach(() => {
    delete globals.location;
    delete globals.history;
  });

  it('takes the fingerprint out of the address and the session over', async () => {
    open(FROM_PAGES);
    const sent: Headers[] = [];
    const storage = createMemoryStorage();
    const client = createClient({
      storage,
      fetch: (request, init) => {
        sent.push(request.headers);
        return fetch(request, init);
      },
    });
    expect(await takeSessionFromAddress(client)).to.equal(true);
    expect(address).to.equal('/orders?page=2');
    expect(listRequests()).to.deep.equal([`GET ${AUTH}/session`, `GET ${AUTH}/refresh/token`]);
    const refresh = sent.at(-1);
    expect(refresh?.get('X-Fingerprint')).to.equal(FINGERPRINT);
    expect(refresh?.get('X-Session-Id')).to.equal(session.id);
    const signedIn = { status: 'signed-in', user, session: { ...session, fingerprint: FINGERPRINT } };
    expect(client.getSnapshot()).to.deep.equal(signedIn);
    await client.me();
    expect(requests.at(-1)).to.equal(`GET ${AUTH}/me Bearer second`);
    const reloaded = createClient({ storage });
    expect(reloaded.getSnapshot().user).to.deep.equal(user);
    client.close();
    reloaded.close();
  });

  it('adds the fingerprint behind the fragment, which the other client takes', async () => {
    const pages = await signIn({ fingerprint: FINGERPRINT });
    for (const fragment of ['', '#details']) {
      const url = new URL(addSessionToAddress(pages, new URL(`https://shop.example.com/orders${fragment}`)));
      expect(url.search).to.equal('');
      open(url.hash);
      expect(await takeSessionFromAddress(createClient())).to.equal(true);
      expect(address).to.equal(`/orders?page=2${fragment}`);
    }
  });

  it('keeps the rest of the fragment', async () => {
    open(`#details&${FROM_PAGES.slice(1)}&more`);
    expect(await takeSessionFromAddress(createClient())).to.equal(true);
    expect(address).to.equal('/orders?page=2#details&more');
  });

  it('replaces the session of another user', async () => {
    const client = await signIn();
    responders.set(`${AUTH}/session`, json(200, ANOTHER));
    open(FROM_PAGES);
    expect(await takeSessionFromAddress(client)).to.equal(true);
    expect(client.getSnapshot().user).to.deep.equal(ANOTHER.user);
  });

  it('sends nothing without a fingerprint in the address', async () => {
    for (const hash of ['', '#details', '#platform-fingerprint=%', '#platform-fingerprint=']) {
      open(hash);
      expect(await takeSessionFromAddress(createClient()), hash).to.equal(false);
    }
    expect(requests).to.deep.equal([]);
  });

  for (const [path, code] of [
    ['session', 'TOKEN_INVALID'],
    ['refresh/token', 'SESSION_NOT_FOUND'],
  ] as const)
    it(`changes nothing after ${code}`, async () => {
      const client = await signIn();
      const before = client.getSnapshot();
      responders.set(`${AUTH}/${path}`, failure(401, code));
      open(FROM_PAGES);
      expect(await takeSessionFromAddress(client)).to.equal(false);
      expect(client.getSnapshot()).to.equal(before);
    });

  it('rejects when the platform does not respond, and changes nothing', async () => {
    const client = createClient();
    responders.set(`${AUTH}/refresh/token`, failure(503, 'SERVICE_UNAVAILABLE'));
    open(FROM_PAGES);
    expect(await failed(takeSessionFromAddress(client))).to.equal('SERVICE_UNAVAILABLE');
    expect(client.getSnapshot().status).to.equal('signed-out');
  });
});
