import type { Person } from './calls.ts';
import { TestBenchError } from './calls.ts';
import { totpCode } from './totp.ts';

type Cookie = {
  name: string;
  value: string;
  domain: string;
  path: string;
  expires: number;
  httpOnly: boolean;
  secure: boolean;
  sameSite: 'Lax' | 'None';
};
/** The state of a browser, in the form of the option `storageState` of Playwright. */
export type StorageState = {
  cookies: Cookie[];
  origins: { origin: string; localStorage: { name: string; value: string }[] }[];
};

export type StorageStateOptions = {
  /** The origins of pages that are signed in, too, such as that of a shop. */
  origins?: readonly string[];
  /** Whether the session outlives the browser. Default: false. */
  staySignedIn?: boolean;
};

type Platform = { gatewayUrl: string; headers: Record<string, string> };
type SignInBody = Partial<Omit<SignedIn, 'refreshToken'>> & {
  code?: string;
  message?: string;
  challenge?: string;
};
type SignedIn = { user: object; session: { id: string; fingerprint: string }; refreshToken: string };

const KINDS = {
  customer: { name: 'customer', path: '/customers/auth', cookie: 'CustomerRefreshToken' },
  employee: { name: 'employee', path: '/employees/auth', cookie: 'EmployeeRefreshToken' },
  administrator: { name: 'administrator', path: '/auth/admin', cookie: 'AdminRefreshToken' },
};
type Kind = (typeof KINDS)[keyof typeof KINDS];

const findKind = ({ kind }: Person): Kind => KINDS[kind as keyof typeof KINDS] ?? KINDS.administrator;

/** Sessions that were used for a storage state, because two browsers must not share a refresh token. */
const used = new WeakSet<object>();

const post = async (url: string, headers: Record<string, string>, body: object) => {
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers } };
  const response = await fetch(url, { ...init, body: JSON.stringify(body) });
  return { response, body: (await response.json()) as SignInBody };
};

const readRefreshToken = (response: Response, { cookie }: Kind): string => {
  const line = response.headers.getSetCookie().find((each) => each.startsWith(`${cookie}=`)) ?? '';
  return line.slice(cookie.length + 1).split(';')[0] ?? '';
};

/** Signs in with the password and, where it is due, with the app or a recovery code. */
const signIn = async (
  { gatewayUrl, headers }: Platform,
  person: Person,
  stay: boolean,
): Promise<SignedIn> => {
  const kind = findKind(person);
  const url = `${gatewayUrl}/api/v1${kind.path}/sign-in`;
  const device = { ...headers, 'X-Fingerprint': crypto.randomUUID() };
  const credentials = { email: person.email, password: person.password, staySignedIn: stay };
  let { response, body } = await post(url, device, credentials);
  if (body.code === 'SECOND_FACTOR_REQUIRED') {
    const recoveryCode = person.recoveryCodes?.pop();
    const proof = recoveryCode ? { recoveryCode } : { totpCode: totpCode(person.app?.secret ?? '') };
    ({ response, body } = await post(`${url}/second-factor`, device, {
      challenge: body.challenge,
      ...proof,
    }));
  }
  const { user, session } = body;
  if (!user || !session) throw new TestBenchError(`sign-in of ${person.email}`, response.status, body);
  return { user, session, refreshToken: readRefreshToken(response, kind) };
};

/** Uses the session with which the person was made. */
const takeOver = async ({ gatewayUrl, headers }: Platform, person: Person): Promise<SignedIn | undefined> => {
  const { session } = person;
  if (!session || used.has(session)) return undefined;
  used.add(session);
  const response = await fetch(`${gatewayUrl}/api/v1${findKind(person).path}/me`, {
    headers: {
      ...headers,
      Authorization: `Bearer ${session.token}`,
      'X-Fingerprint': session.fingerprint,
      'X-Session-Id': session.sessionId,
    },
  });
  if (!response.ok) return undefined;
  const { user, session: device } = (await response.json()) as Pick<SignedIn, 'user' | 'session'>;
  return { user, session: device, refreshToken: session.refreshToken };
};

/**
 * Creates the state of a browser in which the person is signed in. Each call takes a session of its own:
 * a refresh token is exchanged once, so two browsers with the same one would end each other's session.
 */
export const createStorageState = async (
  platform: Platform,
  person: Person,
  { origins = [], staySignedIn = false }: StorageStateOptions = {},
): Promise<StorageState> => {
  const signedIn =
    (staySignedIn ? undefined : await takeOver(platform, person)) ??
    (await signIn(platform, person, staySignedIn));
  const { user, session, refreshToken } = signedIn;
  const { fingerprint } = session;
  const record = {
    ...{ fingerprint, generation: 1, signedIn: { user, session } },
    ...(!staySignedIn && { endsWithBrowser: true }),
  };
  const { hostname: domain, origin } = new URL(platform.gatewayUrl);
  const kind = findKind(person);
  const cookie = { domain, path: '/', expires: -1 };
  const localStorage = [{ name: `platform.${kind.name}`, value: JSON.stringify(record) }];
  return {
    cookies: [
      { name: kind.cookie, value: refreshToken, ...cookie, httpOnly: true, secure: true, sameSite: 'None' },
      // The pages recognise by this cookie that the browser has not been closed since the sign-in.
      { name: 'browser-session', value: '1', ...cookie, httpOnly: false, secure: false, sameSite: 'Lax' },
    ],
    origins: [...new Set([origin, ...origins])].map((each) => ({ origin: each, localStorage })),
  };
};
