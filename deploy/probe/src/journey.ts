/** The steps of the journey, in order: labels of the metric. */
export const STEPS = ['sign_in', 'me', 'refresh', 'sign_out'] as const;
type Step = (typeof STEPS)[number];
type Failure = { step: Step; problem: string };

type Options = { url: string; account: { email: string; password: string } };
type Session = { userId: string; token: string; sessionId: string; cookie: string };
type SignInBody = { token: string; user: { id: string }; session: { id: string } };

const REQUEST_SECONDS = 15;
/** Always the same, so that the account has one session. */
const DEVICE = { 'X-Fingerprint': 'probe' };

/** @throws Error with the status and the code of an unexpected response */
const send = async (url: string, status: number, init: RequestInit): Promise<Response> => {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(REQUEST_SECONDS * 1_000) });
  if (response.status === status) return response;
  const id = response.headers.get('X-Request-Id') ?? 'unknown';
  const text = (await response.text()).slice(0, 500);
  throw new Error(`${response.status} instead of ${status}, request ${id}: ${text}`);
};

const readCookie = ({ headers }: Response): string => {
  const [cookie] = headers.getSetCookie();
  if (cookie === undefined) throw new Error('the response sets no refresh cookie');
  return cookie.split(';', 1)[0] ?? '';
};

/** The four requests of a signed-in customer. */
const createSteps = ({ url, account }: Options) => {
  const api = `${url.replace(/\/$/, '')}/api/v1/customers/auth`;
  const withToken = ({ token, sessionId }: Session) => ({
    ...DEVICE,
    Authorization: `Bearer ${token}`,
    'X-Session-Id': sessionId,
  });
  const signIn = async (): Promise<Session> => {
    const response = await send(`${api}/sign-in`, 200, {
      method: 'POST',
      headers: { ...DEVICE, 'Content-Type': 'application/json' },
      body: JSON.stringify(account),
    });
    const { token, user, session } = (await response.json()) as SignInBody;
    return { token, userId: user.id, sessionId: session.id, cookie: readCookie(response) };
  };
  const readMe = async (session: Session): Promise<void> => {
    const response = await send(`${api}/me`, 200, { headers: withToken(session) });
    const { user } = (await response.json()) as { user?: { id?: string } };
    if (user?.id !== session.userId) throw new Error('the response names another user');
  };
  const refresh = async (session: Session): Promise<Session> => {
    const headers = { ...DEVICE, 'X-Session-Id': session.sessionId, Cookie: session.cookie };
    const response = await send(`${api}/refresh/token`, 200, { headers });
    const { token } = (await response.json()) as { token: string };
    return { ...session, token, cookie: readCookie(response) };
  };
  const signOut = async (session: Session): Promise<void> => {
    await send(`${api}/sign-out`, 204, { headers: withToken(session) });
  };
  return { signIn, readMe, refresh, signOut };
};

/** The journey of a customer; each run resolves with its failure, if any. It never repeats a request: a user would notice a 503. */
export const createJourney = (options: Options) => {
  const { signIn, readMe, refresh, signOut } = createSteps(options);
  return async (): Promise<Failure | undefined> => {
    let step: Step = 'sign_in';
    let session: Session | undefined;
    try {
      session = await signIn();
      step = 'me';
      await readMe(session);
      step = 'refresh';
      session = await refresh(session);
      step = 'sign_out';
      await signOut(session);
      return undefined;
    } catch (error) {
      // No session stays behind, whatever failed.
      if (session && step !== 'sign_out') await signOut(session).catch(() => undefined);
      return { step, problem: error instanceof Error ? error.message : String(error) };
    }
  };
};
