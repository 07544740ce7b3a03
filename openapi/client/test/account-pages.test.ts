import { expect } from 'chai';
import { addSessionToAddress, signInAddress, takeSessionFromAddress } from '../src/account-pages.ts';
import { type BrowserStorage, createMemoryStorage } from '../src/device.ts';
import type { Kind } from '../src/kinds.ts';
import {
  ANOTHER,
  AUTH,
  CREDENTIALS,
  failed,
  failure,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const FINGERPRINT = '5f0c 1&a';
const STATE_KEY = 'platform.customer.sign-in-state';
const STATE = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const PARAMETER = `platform-fingerprint=${encodeURIComponent(FINGERPRINT)}`;
const FROM_PAGES = `#${PARAMETER}&platform-state=${STATE}`;

const createTabStorage = (): BrowserStorage => {
  const storage = createMemoryStorage();
  return { ...storage, removeItem: (key) => storage.setItem(key, '') };
};

describe('return of the account pages to a client', () => {
  const { responders, requests, createClient, signIn, listRequests } = useFakeGateway();
  const globals = globalThis as {
    document?: object;
    location?: object;
    history?: object;
    sessionStorage?: object;
  };
  let address: string;
  let tab: BrowserStorage;
  const open = (hash: string): void => {
    const [pathname, search] = ['/orders', '?page=2'];
    globals.location = {
      href: `https://shop.example.com${pathname}${search}${hash}`,
      pathname,
      search,
      hash,
    };
    globals.history = {
      state: null,
      replaceState: (_state: unknown, _title: string, url: string) => {
        address = url;
      },
    };
  };
  beforeEach(() => {
    address = 'unchanged';
    tab = createTabStorage();
    // Node has a storage of its own, which a plain assignment does not replace.
    Object.defineProperty(globals, 'sessionStorage', { value: tab, configurable: true, writable: true });
    tab.setItem(STATE_KEY, STATE);
    responders.set(`${AUTH}/session`, json(200, { user, session }));
  });
  afterEach(() => {
    delete globals.document;
    delete globals.location;
    delete globals.history;
    delete globals.sessionStorage;
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

  it('adds the fingerprint and state behind the fragment, which the other client takes', async () => {
    const pages = await signIn({ fingerprint: FINGERPRINT });
    for (const fragment of ['', '#details']) {
      const returnTo = `https://shop.example.com/orders${fragment}`;
      const client = createClient();
      const link = new URL(signInAddress(client, { returnTo }));
      expect(link.searchParams.get('returnTo')).to.equal(returnTo);
      const url = new URL(
        addSessionToAddress(pages, new URL(returnTo), link.searchParams.get('state') ?? ''),
      );
      expect(url.search).to.equal('');
      open(url.hash);
      expect(await takeSessionFromAddress(client)).to.equal(true);
      expect(address).to.equal(`/orders?page=2${fragment}`);
    }
  });

  it('ends with the browser if the session of the account pages does', async () => {
    for (const staySignedIn of [true, false]) {
      globals.document = { cookie: '' };
      const pages = createClient({ storage: createMemoryStorage(), endWithBrowser: true });
      await pages.signIn({ ...CREDENTIALS, staySignedIn });
      open(new URL(addSessionToAddress(pages, new URL('https://shop.example.com/'), STATE)).hash);
      tab.setItem(STATE_KEY, STATE);
      const storage = createMemoryStorage();
      expect(await takeSessionFromAddress(createClient({ storage }))).to.equal(true);
      expect(address).to.equal('/orders?page=2');
      globals.document = { cookie: '' };
      const { status } = createClient({ storage }).getSnapshot();
      expect(status).to.equal(staySignedIn ? 'signed-in' : 'signed-out');
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
    for (const parameter of ['', '#details', '#platform-fingerprint=%', '#platform-fingerprint=']) {
      const hash = `${parameter}&platform-state=${STATE}`;
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

  it('takes over nothing from a sign-in that did not begin in this tab, and keeps nothing in the address', async () => {
    for (const state of ['', '&platform-state=', '&platform-state=another', '&platform-state=%']) {
      open(`#${PARAMETER}${state}`);
      expect(await takeSessionFromAddress(createClient()), state).to.equal(false);
      expect(address, state).to.equal('/orders?page=2');
    }
    open(FROM_PAGES);
    for (const storage of [createTabStorage(), undefined]) {
      globals.sessionStorage = storage as object;
      expect(await takeSessionFromAddress(createClient())).to.equal(false);
    }
    expect(requests).to.deep.equal([]);
  });

  it('accepts a state once, also after a failure', async () => {
    const client = createClient();
    responders.set(`${AUTH}/session`, failure(503, 'SERVICE_UNAVAILABLE'));
    open(FROM_PAGES);
    expect(await failed(takeSessionFromAddress(client))).to.equal('SERVICE_UNAVAILABLE');
    responders.set(`${AUTH}/session`, json(200, { user, session }));
    expect(await takeSessionFromAddress(client)).to.equal(false);
  });

  it('names an address, a language and a page in the link only if they are given', () => {
    open('');
    const toQuery = (departure: Parameters<typeof signInAddress>[1]) => {
      const { searchParams } = new URL(signInAddress(createClient(), departure), 'https://api.example.com');
      return Object.fromEntries([...searchParams].filter(([name]) => name !== 'state'));
    };
    const returnTo = 'https://shop.example.com/cart';
    expect(toQuery({ returnTo, loginHint: undefined })).to.deep.equal({ returnTo });
    const named = { loginHint: 'ada+shop@example.com', language: 'de', page: 'sign-up' } as const;
    expect(toQuery({ returnTo, ...named })).to.deep.equal({ returnTo, ...named });
  });

  it('keeps its state whatever the page passes on from its own address', () => {
    open('');
    const passed = { returnTo: '/cart', state: 'chosen elsewhere', other: 'x' };
    const { searchParams } = new URL(signInAddress(createClient(), passed), 'https://api.example.com');
    expect([...searchParams.keys()]).to.deep.equal(['returnTo', 'state']);
    expect(searchParams.get('state')).not.to.equal(passed.state);
  });

  it('makes one random state for all links of a tab until it is used', async () => {
    open('#details');
    const client = createClient<'customer' | 'employee'>();
    const link = new URL(signInAddress(client), 'https://api.example.com');
    expect(link.pathname).to.equal('/account/customer/sign-in');
    expect(link.searchParams.get('returnTo')).to.equal('https://shop.example.com/orders?page=2#details');
    expect(link.searchParams.get('state')).to.equal(STATE);
    open(FROM_PAGES);
    expect(await takeSessionFromAddress(client)).to.equal(true);
    const states = [client, client, createClient<Kind>({ kind: 'employee' })].map((each) =>
      new URL(signInAddress(each as typeof client, { returnTo: '/cart' })).searchParams.get('state'),
    );
    expect(states[0])
      .to.match(/^[0-9a-f]{32}$/)
      .and.not.equal(STATE);
    expect(states[1]).to.equal(states[0]);
    expect(states[2]).not.to.equal(states[0]);
  });
});
