import { expect } from 'chai';
import { followRequest, type Request, shareOf } from './requests.ts';

describe('The requests of a load', () => {
  const request: Request = {
    method: 'GET',
    path: '/refresh',
    headers: { Cookie: 'Token=old', 'X-Fingerprint': 'one' },
  };

  it('When an answer sets the cookie, then the next request presents it and keeps its other headers', () => {
    const setCookies = ['Other=1; Path=/', 'Token=new; Path=/; HttpOnly'];
    const { headers } = followRequest(request, { from: 'cookie', name: 'Token' }, { setCookies, body: '{}' });
    expect(headers).to.deep.equal({ Cookie: 'Token=new', 'X-Fingerprint': 'one' });
    expect(request.headers['Cookie']).to.equal('Token=old');
  });

  it('When an answer brings no token, then the chain breaks with a reason', () => {
    const follow = () =>
      followRequest(request, { from: 'cookie', name: 'Token' }, { setCookies: [], body: '' });
    expect(follow).to.throw('sets no cookie Token');
  });

  it('When Directus answers with a token in the body, then the next request sends it in its body', () => {
    const body = JSON.stringify({ data: { refresh_token: 'new' } });
    const next = followRequest(request, { from: 'directus-body' }, { setCookies: [], body });
    expect(JSON.parse(next.body ?? '')).to.deep.equal({ refresh_token: 'new', mode: 'json' });
  });

  it('When requests are shared out, then each client has others, and together they have all', () => {
    const items = Array.from({ length: 11 }, (_, index) => index);
    const shares = [0, 1, 2].map((client) => shareOf(items, client, 3));
    expect(shares.flat().toSorted((one, other) => one - other)).to.deep.equal(items);
    expect(shares.map(({ length }) => length)).to.deep.equal([4, 4, 3]);
  });

  it('When there are fewer requests than clients, then every client has all of them', () => {
    expect(shareOf(['a'], 49, 50)).to.deep.equal(['a']);
  });
});
