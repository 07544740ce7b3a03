import { expect } from 'chai';
import {
  completeSignIn,
  getSignInMethods,
  listSignIns,
  sendNewDeviceCode,
  sendSignInCode,
  signInWithCode,
} from '../src/account.ts';
import { createMemoryStorage } from '../src/device.ts';
import { type Kind, ROUTES } from '../src/kinds.ts';
import { signInWith } from '../src/oidc.ts';
import { isPlatformError } from '../src/platform-error.ts';
import {
  AUTH,
  CREDENTIALS,
  caught,
  failed,
  failure,
  json,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const { email } = CREDENTIALS;
const sent = { expiresIn: 900, resendIn: 120 };

describe('client sign-in with a mailed code', () => {
  const { responders, requests, createClient, signIn, listRequests } = useFakeGateway();

  /** Returns a client and the bodies that it sends. */
  const createRecordingClient = <K extends Kind = 'customer'>(
    options: Parameters<typeof createClient<K>>[0] = {},
  ) => {
    const bodies: Promise<string>[] = [];
    const record = (request: Request) => {
      bodies.push(request.clone().text());
      return fetch(request);
    };
    const lastBody = async (): Promise<unknown> => JSON.parse((await bodies.at(-1)) ?? 'null');
    return { client: createClient<K>({ ...options, fetch: record }), lastBody };
  };

  for (const kind of ['customer', 'employee'] as const)
    it(`sends the code, and stores the session in all tabs: ${kind}`, async () => {
      const { auth } = ROUTES[kind];
      responders.set(`${auth}/sign-in/email-code/send`, json(200, sent));
      responders.set(`${auth}/sign-in/email-code`, json(200, { token: 'first', user, session }));
      const storage = createMemoryStorage();
      const { client, lastBody } = createRecordingClient<typeof kind>({ kind, storage });
      const other = createClient<typeof kind>({ kind, storage });

      expect(await sendSignInCode(client, email)).to.deep.equal(sent);
      expect(await lastBody()).to.deep.equal({ email });
      const body = { email, code: '042917', staySignedIn: true };
      expect(await signInWithCode(client, body)).to.deep.equal({ user, session });
      expect(await lastBody()).to.deep.equal(body);
      for (const tab of [client, other])
        expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', user, session });
      expect(listRequests()).to.deep.equal([
        `POST ${auth}/sign-in/email-code/send`,
        `POST ${auth}/sign-in/email-code`,
      ]);
      client.close();
      other.close();
    });

  it('stays signed out after a wrong code, without a refresh', async () => {
    responders.set(`${AUTH}/sign-in/email-code`, failure(400, 'CODE_INVALID'));
    const client = createClient();
    expect(await failed(signInWithCode(client, { email, code: '000000' }))).to.equal('CODE_INVALID');
    expect(client.getSnapshot().status).to.equal('signed-out');
    expect(listRequests()).to.deep.equal([`POST ${AUTH}/sign-in/email-code`]);
  });

  it('confirms a new device with a mailed code', async () => {
    const step = `${AUTH}/sign-in/second-factor`;
    const required = { statusCode: 401, error: 'Unauthorized', message: 'Some', requestId: 'r-1' };
    const factors = ['email-code'];
    responders.set(
      `${AUTH}/sign-in`,
      json(401, { ...required, code: 'SECOND_FACTOR_REQUIRED', challenge: 'a-challenge', factors }),
    );
    responders.set(`${step}/email-code`, json(200, sent));
    responders.set(step, json(200, { token: 'first', user, session }));
    const { client, lastBody } = createRecordingClient();
    const error = await caught(client.signIn({ ...CREDENTIALS, staySignedIn: true }));
    if (!isPlatformError(error, 'SECOND_FACTOR_REQUIRED')) throw error;
    expect(await lastBody()).to.deep.equal({ ...CREDENTIALS, staySignedIn: true });
    expect(error.factors).to.deep.equal(factors);

    const { challenge } = error;
    expect(await sendNewDeviceCode(client, error)).to.deep.equal(sent);
    expect(await lastBody()).to.deep.equal({ challenge });
    const confirmed = await completeSignIn(client, { challenge, emailCode: '042917' });
    expect(confirmed).to.deep.equal({ user, session });
    expect(await lastBody()).to.deep.equal({ challenge, emailCode: '042917' });
    expect(client.isSignedIn()).to.equal(true);
  });

  for (const kind of ['customer', 'employee', 'administrator'] as const)
    it(`lists the ways to sign in: ${kind}`, async () => {
      const { auth } = ROUTES[kind];
      const methods = { methods: ['password'], staySignedIn: false, providers: [] };
      responders.set(`${auth}/sign-in/methods`, json(200, methods));
      expect(await getSignInMethods(createClient<Kind>({ kind }))).to.deep.equal(methods);
      expect(requests).to.deep.equal([`GET ${auth}/sign-in/methods -`]);
    });

  it('asks a provider to stay signed in', async () => {
    const authorizationUrl = 'https://login.example.com/auth?state=s-1';
    responders.set(`${AUTH}/oidc/company/authorize`, json(200, { authorizationUrl, expiresIn: 600 }));
    const { client, lastBody } = createRecordingClient();
    const body = { redirectUri: 'https://shop.example.com/callback', staySignedIn: true };
    await signInWith(client, 'company', body, { navigate: () => undefined });
    expect(await lastBody()).to.deep.equal(body);
  });

  it('lists the own sign-ins by cursor, with the token', async () => {
    const signedIn = { at: '2026-12-04T00:00:00.000Z', result: 'SIGNED_IN', methods: ['email-code'] };
    const pages = [
      { data: [signedIn], nextCursor: 'a+b' },
      { data: [{ ...signedIn, result: 'WRONG_CODE' }], nextCursor: null },
    ] as const;
    responders.set(`${AUTH}/sign-ins?perPage=1`, json(200, pages[0]));
    responders.set(`${AUTH}/sign-ins?cursor=a%2Bb`, json(200, pages[1]));
    const client = await signIn();
    expect(await listSignIns(client, { perPage: 1 })).to.deep.equal(pages[0]);
    expect(await listSignIns(client, { cursor: pages[0].nextCursor })).to.deep.equal(pages[1]);
    expect(requests).to.deep.equal([
      `GET ${AUTH}/sign-ins?perPage=1 Bearer first`,
      `GET ${AUTH}/sign-ins?cursor=a%2Bb Bearer first`,
    ]);
  });
});
