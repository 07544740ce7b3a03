import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { formatStatus } from '@platform/shared/testing/http-client';
import { deviceHeaders, type Fixture, isSessionUnchanged, KINDS } from './fixture.ts';

export const testSessions = async (fixture: Fixture): Promise<void> => {
  for (const kind of KINDS) {
    fixture.section(`Injected cookies at the refresh of ${kind.plural}: no session is taken over or ended`);
    const [user, other] = [await fixture.createUser(kind), await fixture.createUser(kind)];
    const otherKindUser = await fixture.createUser(kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
    const cookieName = kind.refreshCookie;
    // Evaluated per attack: isSessionUnchanged rotates the refresh token.
    const validCookie = () => `${cookieName}=${user.device.refreshToken}`;
    const attacks: [name: string, cookie: () => string, expected: string][] = [
      [
        'garbage of the same name before the valid cookie',
        () => `${cookieName}=garbage; ${validCookie()}`,
        '401 TOKEN_INVALID',
      ],
      [
        "another user's cookie before the valid one",
        () => `${cookieName}=${other.device.refreshToken}; ${validCookie()}`,
        '401 SESSION_NOT_FOUND',
      ],
      [
        'a cookie of another kind',
        () => `${cookieName}=${otherKindUser.device.refreshToken}`,
        '401 TOKEN_INVALID',
      ],
      ['an access token', () => `${cookieName}=${user.device.accessToken}`, '401 TOKEN_INVALID'],
      ['a JSON object', () => `${cookieName}=j:${encodeURIComponent('{"length":1}')}`, '401 TOKEN_INVALID'],
      ['invalid percent-encoding', () => `${cookieName}=%E0%A4%A`, '401 TOKEN_INVALID'],
      ['the valid cookie in lower case', () => validCookie().toLowerCase(), '401 TOKEN_INVALID'],
      [
        'names of prototype properties',
        () => `__proto__=1; constructor=${user.device.refreshToken}`,
        '401 TOKEN_INVALID',
      ],
      ['8,000 characters', () => `${cookieName}=${'x'.repeat(8_000)}`, '401 TOKEN_INVALID'],
      ['17,000 characters', () => `${cookieName}=${'x'.repeat(17_000)}`, '431 HEADERS_TOO_LARGE'],
      ['500 cookies', () => 'a=1; '.repeat(500), '401 TOKEN_INVALID'],
    ];
    for (const [name, createCookie, expected] of attacks) {
      const response = await fixture.send(`${kind.path}/refresh/token`, {
        headers: { Cookie: createCookie(), ...deviceHeaders(user) },
      });
      const unchanged = (await isSessionUnchanged(user)) && (await isSessionUnchanged(other));
      fixture.check(
        formatStatus(response) === expected && response.headers['set-cookie'] === undefined && unchanged,
        name,
        `${formatStatus(response)}, sessions ${unchanged ? 'unchanged' : 'changed'}`,
      );
    }
    const after = await fixture.send(`${kind.path}/refresh/token`, {
      headers: { Cookie: `${validCookie()}; ${cookieName}=garbage`, ...deviceHeaders(user) },
    });
    fixture.check(after.status === 200, 'garbage of the same name after the valid cookie', after);
  }
};
