import type { ProbeConfig } from './config.ts';
import { DEVICE, fetchInTime, post, send } from './requests.ts';

/** The steps of the journeys in order. They are label values of the metric. */
export const STEPS = [
  'sign_in',
  'me',
  'services',
  'refresh',
  'sign_out',
  'operator_sign_in',
  'operator_me',
  'operator_sign_out',
] as const;
type Step = (typeof STEPS)[number];
type Failure = { step: Step; problem: string };

type Account = { email: string; password: string };
type Session = { userId: string; token: string; sessionId: string; cookie: string };
type SignInBody = { token: string; user: { id: string }; session: { id: string } };

const readCookie = ({ headers }: Response): string => {
  const [cookie] = headers.getSetCookie();
  if (cookie === undefined) throw new Error('the response sets no refresh cookie');
  return cookie.split(';', 1)[0] ?? '';
};

const withToken = ({ token, sessionId }: Session) => ({
  ...DEVICE,
  Authorization: `Bearer ${token}`,
  'X-Session-Id': sessionId,
});

/** The requests of a signed-in user of one kind; `api` is the base of the paths. */
const createSessions = (api: string) => ({
  signIn: async (account: Account): Promise<Session> => {
    const response = await post(`${api}/sign-in`, [200], account);
    const { token, user, session } = (await response.json()) as SignInBody;
    return { token, userId: user.id, sessionId: session.id, cookie: readCookie(response) };
  },
  refresh: async (session: Session): Promise<Session> => {
    const headers = { ...DEVICE, 'X-Session-Id': session.sessionId, Cookie: session.cookie };
    const response = await send(`${api}/refresh/token`, [200], { headers });
    const { token } = (await response.json()) as { token: string };
    return { ...session, token, cookie: readCookie(response) };
  },
  signOut: async (session: Session): Promise<void> => {
    await send(`${api}/sign-out`, [204], { headers: withToken(session) });
  },
});

/** Records the step that begins. */
type Enter = (step: Step) => void;

const expectUser = (user: { id?: string } | undefined, { userId }: Session): void => {
  if (user?.id !== userId) throw new Error('the response names another user');
};

/**
 * Another service decides itself whether the caller may read, so any response below 500 shows that it works.
 */
const readService = async (url: string, session: Session): Promise<void> => {
  const { status } = await fetchInTime(url, { headers: withToken(session) });
  if (status >= 500) throw new Error(`${status} of ${url}`);
};

const createCustomerJourney = ({ url, account, servicePaths }: ProbeConfig) => {
  const api = `${url}/api/v1/customers/auth`;
  const { signIn, refresh, signOut } = createSessions(api);
  return async (enter: Enter): Promise<void> => {
    enter('sign_in');
    let session = await signIn(account);
    try {
      enter('me');
      const response = await send(`${api}/me`, [200], { headers: withToken(session) });
      expectUser(((await response.json()) as { user?: { id?: string } }).user, session);
      enter('services');
      for (const path of servicePaths) await readService(url + path, session);
      enter('refresh');
      session = await refresh(session);
    } catch (error) {
      // Sign out after any failure, so that no session is left.
      await signOut(session).catch(() => undefined);
      throw error;
    }
    enter('sign_out');
    await signOut(session);
  };
};

/** Calls auth-service and admin-service, which must have the same secret for tokens. */
const createOperatorJourney = (url: string, account: Account) => {
  const { signIn, signOut } = createSessions(`${url}/api/v1/auth/admin`);
  return async (enter: Enter): Promise<void> => {
    enter('operator_sign_in');
    const session = await signIn(account);
    try {
      enter('operator_me');
      await send(`${url}/api/v1/operator/me`, [200], { headers: withToken(session) });
    } catch (error) {
      await signOut(session).catch(() => undefined);
      throw error;
    }
    enter('operator_sign_out');
    await signOut(session);
  };
};

/**
 * Runs the journey of a customer and, if configured, of an operator. Each run resolves with its failure, if
 * any. Requests are never retried, because a user would notice a 503.
 */
export const createJourney = (config: ProbeConfig) => {
  const { url, operator } = config;
  const journeys = [
    createCustomerJourney(config),
    ...(operator ? [createOperatorJourney(url, operator)] : []),
  ];
  return async (): Promise<Failure | undefined> => {
    let step: Step = 'sign_in';
    try {
      for (const journey of journeys)
        await journey((entered) => {
          step = entered;
        });
      return undefined;
    } catch (error) {
      return { step, problem: error instanceof Error ? error.message : String(error) };
    }
  };
};
