import { expect } from 'chai';
import { type Request, requestsOfClient, toNextRequest } from './load.ts';

describe('benchmark load requests', () => {
  const request: Request = {
    method: 'GET',
    path: '/refresh',
    headers: { Cookie: 'Token=old', 'X-Fingerprint': 'one' },
  };

  it('carries the cookie of the response to the next request and keeps the other headers', () => {
    const setCookies = ['Other=1; Path=/', 'Token=new; Path=/; HttpOnly'];
    const response = { setCookies, body: '{}' };
    const { headers } = toNextRequest(request, { from: 'cookie', name: 'Token' }, response);
    expect(headers).to.deep.equal({ Cookie: 'Token=new', 'X-Fingerprint': 'one' });
    expect(request.headers['Cookie']).to.equal('Token=old');
  });

  it('throws when the response has no token', () => {
    const carry = () =>
      toNextRequest(request, { from: 'cookie', name: 'Token' }, { setCookies: [], body: '' });
    expect(carry).to.throw('sets no cookie Token');
  });

  it('carries the token of a Directus response body to the next request body', () => {
    const body = JSON.stringify({ data: { refresh_token: 'new' } });
    const next = toNextRequest(request, { from: 'directus-body' }, { setCookies: [], body });
    expect(JSON.parse(next.body ?? '')).to.deep.equal({ refresh_token: 'new', mode: 'json' });
  });

  it('divides all requests among the clients without overlap', () => {
    const items = Array.from({ length: 11 }, (_, index) => index);
    const shares = [0, 1, 2].map((client) => requestsOfClient(items, client, 3));
    expect(shares.flat().toSorted((one, other) => one - other)).to.deep.equal(items);
    expect(shares.map(({ length }) => length)).to.deep.equal([4, 4, 3]);
  });

  it('gives each client all requests when there are fewer requests than clients', () => {
    expect(requestsOfClient(['a'], 49, 50)).to.deep.equal(['a']);
  });
});
