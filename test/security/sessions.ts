import { CUSTOMER, EMPLOYEE } from '@platform/shared/testing/auth-client';
import { bearer, cookieOf, deviceHeaders, isUntouched, KINDS, type Scene } from './fixture.ts';
import { type Answer, show } from './web-client.ts';

const tryCookies = async (scene: Scene): Promise<void> => {
  for (const kind of KINDS) {
    scene.section(
      `Cookies that somebody else has put there, at refresh of ${kind.plural}: no session is taken over or lost`,
    );
    const [mine, theirs] = [await scene.person(kind), await scene.person(kind)];
    const other = await scene.person(kind === CUSTOMER ? EMPLOYEE : CUSTOMER);
    const name = kind.refreshCookie;
    // Made anew for each try: whether a session still works is seen by a refresh, which exchanges its tokens.
    const good = () => `${name}=${mine.device.refreshToken}`;
    const tries: [string, () => string, string][] = [
      ['a garbage one of the same name before it', () => `${name}=garbage; ${good()}`, '401 TOKEN_INVALID'],
      [
        "the attacker's own before it",
        () => `${name}=${theirs.device.refreshToken}; ${good()}`,
        '401 SESSION_NOT_FOUND',
      ],
      ['one of the other kind', () => `${name}=${other.device.refreshToken}`, '401 TOKEN_INVALID'],
      ['an access token', () => `${name}=${mine.device.accessToken}`, '401 TOKEN_INVALID'],
      ['an object in JSON', () => `${name}=j:${encodeURIComponent('{"length":1}')}`, '401 TOKEN_INVALID'],
      ['one that cannot be decoded', () => `${name}=%E0%A4%A`, '401 TOKEN_INVALID'],
      ['one in another letter case', () => good().toLowerCase(), '401 TOKEN_INVALID'],
      [
        'ones of the prototype',
        () => `__proto__=1; constructor=${mine.device.refreshToken}`,
        '401 TOKEN_INVALID',
      ],
      ['eight thousand characters', () => `${name}=${'x'.repeat(8_000)}`, '401 TOKEN_INVALID'],
      ['seventeen thousand characters', () => `${name}=${'x'.repeat(17_000)}`, '431 HEADERS_TOO_LARGE'],
      ['five hundred cookies', () => 'a=1; '.repeat(500), '401 TOKEN_INVALID'],
    ];
    for (const [what, cookie, expected] of tries) {
      const answer = await scene.send(`${kind.path}/refresh/token`, {
        headers: { Cookie: cookie(), ...deviceHeaders(mine) },
      });
      const untouched = (await isUntouched(scene, mine)) && (await isUntouched(scene, theirs));
      scene.check(
        show(answer) === expected && answer.headers['set-cookie'] === undefined && untouched,
        what,
        `${show(answer)}, sessions ${untouched ? 'as before' : 'changed'}`,
      );
    }
    const after = await scene.send(`${kind.path}/refresh/token`, {
      headers: { Cookie: `${good()}; ${name}=garbage`, ...deviceHeaders(mine) },
    });
    scene.check(after.status === 200, 'a garbage one after it', after);
  }
};

const tryForeignSessions = async (scene: Scene): Promise<void> => {
  scene.section("Somebody else's session, by its id");
  for (const kind of KINDS) {
    const [mine, theirs] = [await scene.person(kind), await scene.person(kind)];
    const id = theirs.device.sessionId;
    const access = {
      ...bearer(mine.device.accessToken),
      'X-Fingerprint': mine.device.fingerprint,
      'X-Session-Id': id,
    };
    const tries: [string, Promise<Answer>, string][] = [
      [
        'DELETE sessions/:id',
        scene.send(`${kind.path}/sessions/${id}`, { method: 'DELETE', headers: access }),
        '404 SESSION_NOT_FOUND',
      ],
      ['me', scene.send(`${kind.path}/me`, { headers: access }), '401 SESSION_NOT_FOUND'],
      [
        'me with their fingerprint too',
        scene.send(`${kind.path}/me`, { headers: { ...access, ...deviceHeaders(theirs) } }),
        '401 SESSION_NOT_FOUND',
      ],
      ['sign-out', scene.send(`${kind.path}/sign-out`, { headers: access }), '401 SESSION_NOT_FOUND'],
      [
        'refresh',
        scene.send(`${kind.path}/refresh/token`, {
          headers: { ...cookieOf(mine), ...deviceHeaders(theirs) },
        }),
        '401 SESSION_NOT_FOUND',
      ],
    ];
    for (const [what, pending, expected] of tries) {
      const answer = await pending;
      scene.check(show(answer) === expected, `${what} of ${kind.plural}`, answer);
    }
    const untouched = (await isUntouched(scene, theirs)) && (await isUntouched(scene, mine));
    scene.check(untouched, `both sessions of ${kind.plural} afterwards`, untouched ? 'as before' : 'changed');
  }
};

export const attackSessions = async (scene: Scene): Promise<void> => {
  await tryCookies(scene);
  await tryForeignSessions(scene);
};
