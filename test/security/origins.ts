import { bearer, cookieOf, deviceHeaders, isUntouched, KINDS, type Person, type Scene } from './fixture.ts';
import { type Call, show } from './web-client.ts';

const FOREIGN = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://evil.example#localhost',
  'http://localhost@evil.example',
  'http://evil.example/http://localhost',
  'http://localhost:3000.evil.example',
  'http://localhost:5173, https://evil.example',
  'http://xlocalhost',
  'http://localhost:123456',
  'file://',
  'chrome-extension://localhost',
  '*',
];
const OWN = ['http://localhost:5173', 'http://127.0.0.1:3000', 'http://[::1]:8080', 'https://localhost'];

const corsHeadersOf = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

const tryOrigins = async (scene: Scene): Promise<void> => {
  scene.section('Foreign origins: no answer that a browser would hand to them');
  const [kind] = KINDS;
  for (const origin of FOREIGN) {
    const path = `${kind?.path}/sign-in`;
    const preflight = await scene.send(path, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'x-fingerprint',
      },
    });
    const answer = await scene.send('/api/v1', { headers: { Origin: origin } });
    const error = await scene.send('/nowhere', { headers: { Origin: origin } });
    const given = [preflight, answer, error].flatMap(({ headers }) => corsHeadersOf(headers));
    scene.check(
      given.length === 0,
      `Origin: ${origin}`,
      `preflight ${show(preflight)}, CORS headers: ${given.join(', ') || 'none'}`,
    );
  }
  for (const origin of OWN) {
    const { headers } = await scene.send('/api/v1', { headers: { Origin: origin } });
    const allowed = headers['access-control-allow-origin'];
    const isRight = allowed === origin && headers['access-control-allow-credentials'] === 'true';
    scene.check(
      isRight && /\bOrigin\b/.test(headers.vary ?? ''),
      `Origin: ${origin}, an own one`,
      `allowed: ${allowed}, Vary: ${headers.vary}`,
    );
  }
};

type Forgery = [what: string, tail: string, call: Call];

/** All that a page of another origin can make a browser send, cookies included, without a preflight. */
const forgeriesFor = (person: Person): Forgery[] => {
  const password = { currentPassword: person.password, newPassword: 'The thief knows it 1' };
  const form = new URLSearchParams(password).toString();
  const json = JSON.stringify(password);
  const post = (type: string | undefined, body: string): Call => ({
    method: 'POST',
    headers: type === undefined ? {} : { 'Content-Type': type },
    body,
  });
  const change = '/reset-password/me';
  return [
    ['an image that points to refresh', '/refresh/token', {}],
    [
      'a link to refresh with the ids in the query',
      `/refresh/token?X-Fingerprint=${person.device.fingerprint}&X-Session-Id=${person.device.sessionId}`,
      {},
    ],
    ['a form that posts to refresh', '/refresh/token', post('application/x-www-form-urlencoded', 'a=b')],
    ['HEAD of refresh', '/refresh/token', { method: 'HEAD' }],
    ['an image that points to sign-out', '/sign-out', {}],
    ['a form that changes the password', change, post('application/x-www-form-urlencoded', form)],
    [
      'the same, named JSON in a parameter',
      change,
      post('application/x-www-form-urlencoded; charset=application/json', form),
    ],
    ['JSON as text/plain that changes the password', change, post('text/plain', json)],
    ['the same, with JSON as a parameter', change, post('text/plain; application/json', json)],
    [
      'JSON in multipart',
      change,
      post(
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n${json}\r\n--x--`,
      ),
    ],
    ['JSON without a type', change, post(undefined, json)],
    ['JSON under a type like JSON', change, post('application/jsonp', json)],
    ['JSON as application/csp-report', change, post('application/csp-report', json)],
    [
      'a form that ends the sessions',
      '/sessions',
      post('application/x-www-form-urlencoded', '_method=DELETE'),
    ],
    ['an image that points to the code mail', '/verification/email/code', {}],
  ];
};

const tryForgeries = async (scene: Scene): Promise<void> => {
  for (const kind of KINDS) {
    scene.section(`Cross-site requests with the cookie of ${kind.plural}: nothing changes`);
    const person = await scene.person(kind);
    for (const [what, tail, call] of forgeriesFor(person)) {
      const headers = {
        Origin: 'https://evil.example',
        'Sec-Fetch-Site': 'cross-site',
        ...cookieOf(person),
        ...call.headers,
      };
      const answer = await scene.send(kind.path + tail, { ...call, headers });
      const isRefused = answer.status >= 400 && answer.status < 500;
      const untouched = await isUntouched(scene, person);
      const signedIn = await scene.signIn(person, 'another device');
      scene.check(
        isRefused && untouched && signedIn.status === 200 && answer.headers['set-cookie'] === undefined,
        what,
        `${show(answer)}, session ${untouched ? 'as before' : 'changed'}, password ${signedIn.status === 200 ? 'as before' : 'changed'}`,
      );
    }
  }
};

const tryLoginForms = async (scene: Scene): Promise<void> => {
  scene.section('Cross-site forms to what needs no cookie: nobody is signed in or written to');
  const [kind] = KINDS;
  if (!kind) return;
  const { email, password } = await scene.person(kind);
  const lead = { name: 'Ada', email, message: 'Hello' };
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x'])
    for (const [path, body] of [
      [`${kind.path}/sign-in`, { email, password }],
      [`${kind.path}/sign-up`, { email: `x${email}`, password }],
      ['/api/v1/contact/lead', lead],
    ] as const) {
      const headers = { Origin: 'https://evil.example', 'Content-Type': type };
      const text = type.includes('urlencoded') ? new URLSearchParams(body).toString() : JSON.stringify(body);
      const answer = await scene.send(path, { method: 'POST', headers, body: text });
      scene.check(answer.status === 400 || answer.status === 415, `${type} to ${path}`, answer);
    }
};

const tryReading = async (scene: Scene): Promise<void> => {
  scene.section('What a page of another origin can learn of an answer that it embeds');
  const [kind] = KINDS;
  if (!kind) return;
  const person = await scene.person(kind);
  const answer = await scene.send(`${kind.path}/me`, {
    headers: {
      Origin: 'https://evil.example',
      ...bearer(person.device.accessToken),
      ...deviceHeaders(person),
    },
  });
  const { headers } = answer;
  const guards: [string, boolean][] = [
    ['X-Content-Type-Options', headers['x-content-type-options'] === 'nosniff'],
    ['Cross-Origin-Resource-Policy', headers['cross-origin-resource-policy'] === 'same-origin'],
    ['X-Frame-Options', headers['x-frame-options'] === 'DENY'],
    ['Cache-Control', headers['cache-control'] === 'no-store'],
    ['Content-Type', String(headers['content-type']).startsWith('application/json')],
  ];
  for (const [name, holds] of guards)
    scene.check(
      holds,
      `me as a script, a frame or from a cache: ${name}`,
      String(headers[name.toLowerCase()]),
    );
};

export const attackOrigins = async (scene: Scene): Promise<void> => {
  await tryOrigins(scene);
  await tryForgeries(scene);
  await tryLoginForms(scene);
  await tryReading(scene);
};
