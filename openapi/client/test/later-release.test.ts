import { expect } from 'chai';
import { createMessages } from '../src/messages.ts';
import { ENGLISH } from '../src/messages-en.ts';
import type { SecondFactor } from '../src/named-types.ts';
import { isPlatformError } from '../src/platform-error.ts';
import { AUTH, CREDENTIALS, caught, json, session, useFakeGateway, user } from './fake-gateway.ts';

// Within a major version, a later release may add fields and words to responses.

const { messageOf, fieldErrors } = createMessages({}, { en: ENGLISH });

describe('client of an earlier release', () => {
  const gateway = useFakeGateway();
  const { responders } = gateway;

  it('returns fields, actions and methods that it does not know', async () => {
    const administrator = gateway.createClient({ kind: 'administrator' });
    responders.set('/auth/admin/sign-in', json(200, { token: 'first', user, session }));
    await administrator.signIn(CREDENTIALS);
    const record = { action: 'MOON_LANDED', planted: { deep: true } };
    responders.set('/administrator/audit-log', json(200, { data: [record], nextCursor: null }));
    const { data } = await administrator.GET('/administrator/audit-log');
    expect(data).to.deep.equal([record]);

    const customer = await gateway.signIn();
    const own = { id: 'one', methods: ['password', 'moon-phase'], planted: 1 };
    responders.set('/customers/auth/sessions', json(200, { data: [own] }));
    const sessions = await customer.GET('/customers/auth/sessions');
    expect(sessions.data).to.deep.equal([own]);
    // These lines compile because the types are open.
    const methods: (typeof sessions.data)[number]['methods'] = ['moon-phase'];
    const factors: SecondFactor[] = ['moon-phase', 'totp'];
    expect([...methods, ...factors]).to.have.length(3);
  });

  it('finishes a sign-in with a factor that it knows', async () => {
    const body = {
      ...{
        statusCode: 401,
        error: 'Unauthorized',
        code: 'SECOND_FACTOR_REQUIRED',
        message: '-',
        requestId: 'r',
      },
      ...{ challenge: 'challenge', factors: ['moon-phase', 'totp'], planted: true },
    };
    responders.set(`${AUTH}/sign-in`, json(401, body));
    const error = await caught(gateway.createClient().signIn(CREDENTIALS));
    expect(isPlatformError(error, 'SECOND_FACTOR_REQUIRED') && error.factors).to.deep.equal(body.factors);
  });

  it('has a message for codes and factors that it does not know', async () => {
    const body = { statusCode: 403, error: 'Forbidden', message: '-', requestId: 'r' };
    responders.set('/auth/me', json(403, { ...body, code: 'MOON_MISSING' }));
    const client = await gateway.signIn();
    expect(messageOf(await caught(client.GET('/auth/me')))).to.equal(ENGLISH.codes.INTERNAL_ERROR);
    responders.set(
      '/auth/me',
      json(403, { ...body, code: 'FACTOR_REQUIRED', factors: ['moon-phase', 'totp'] }),
    );
    expect(Object.keys(fieldErrors(await caught(client.GET('/auth/me'))))).to.deep.equal(['totpCode']);
  });
});
