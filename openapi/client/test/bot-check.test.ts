import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect } from 'chai';
import { failed, failure, json, noContent, useFakeGateway } from './fake-gateway.ts';

const FORM = '/contact/support';
const BODY = { email: 'ada@example.com', subject: 'Help', message: 'Please.' };
const CHALLENGE = '/auth/bot-check';
const hmacSignatureSecret = 'secret of the test';

const newChallenge = () =>
  createChallenge({ algorithm: 'PBKDF2/SHA-256', cost: 1_000, counter: 20, deriveKey, hmacSignatureSecret });

describe('client where bots are kept out', () => {
  const { responders, createClient, listRequests } = useFakeGateway();

  it('solves the challenge and repeats the call with the solution', async () => {
    const challenge = await newChallenge();
    const received: string[] = [];
    responders.set(CHALLENGE, json(200, challenge));
    responders.set(FORM, (response, request) => {
      const solution = request.headers['x-bot-check'];
      if (typeof solution !== 'string') return failure(403, 'BOT_CHECK_REQUIRED')(response, request);
      received.push(solution);
      return noContent(response, request);
    });
    await createClient().POST(FORM, { body: BODY });
    expect(listRequests()).to.deep.equal([`POST ${FORM}`, `GET ${CHALLENGE}`, `POST ${FORM}`]);
    const payload = JSON.parse(atob(received[0] ?? ''));
    expect(await verifySolution({ ...payload, deriveKey, hmacSignatureSecret })).to.include({
      verified: true,
    });
  });

  it('asks for no challenge where the platform does not', async () => {
    responders.set(FORM, noContent);
    await createClient().POST(FORM, { body: BODY });
    expect(listRequests()).to.deep.equal([`POST ${FORM}`]);
  });

  it('repeats once, and rejects with the error of the repeated call', async () => {
    responders.set(CHALLENGE, json(200, await newChallenge()));
    responders.set(FORM, (response, request) =>
      failure(403, request.headers['x-bot-check'] ? 'BOT_CHECK_FAILED' : 'BOT_CHECK_REQUIRED')(
        response,
        request,
      ),
    );
    expect(await failed(createClient().POST(FORM, { body: BODY }))).to.equal('BOT_CHECK_FAILED');
    expect(listRequests()).to.have.lengthOf(3);
  });

  it('rejects with the error of the challenge', async () => {
    responders.set(CHALLENGE, failure(429, 'RATE_LIMITED'));
    responders.set(FORM, failure(403, 'BOT_CHECK_REQUIRED'));
    expect(await failed(createClient().POST(FORM, { body: BODY }))).to.equal('RATE_LIMITED');
  });
});
