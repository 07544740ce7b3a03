import { ADMINISTRATOR, CUSTOMER, type Device } from '@platform/shared/testing/auth-client';
import type { HttpResponse } from '@platform/shared/testing/http-client';
import { startStack } from '@platform/shared/testing/stack';
import type { Report } from '@platform/shared/testing/suite';
import { CONTRACTS, loadContract, loadOperations, type Operation } from '../openapi-operations.ts';
import { createFixture, createVerifiedUser, type Fixture, type User } from './fixture.ts';

const CODE = 'SECOND_FACTOR_ENROLMENT_REQUIRED';
const REQUIRED = `403 ${CODE}`;
const SOME_ID = '5b0c9a34-3c52-4a3c-9d5c-2f6b7d0e8a11';

/** The names of the operations that are open before the enrolment, and how many the contract must have at least. */
const loadOpenOperations = async (): Promise<Set<string>> => {
  const names: string[] = [];
  for (const name of CONTRACTS) {
    const { paths } = await loadContract(name);
    for (const item of Object.values(paths as Record<string, Record<string, unknown>>))
      for (const node of Object.values(item)) {
        const { operationId, 'x-before-enrolment': isOpen } = node as Record<string, unknown>;
        if (isOpen === true) names.push(`${name}/${operationId}`);
      }
  }
  return new Set(names);
};

/** The operations that take the token of an ADMIN. The session of the queue dashboard is checked by itself. */
const isForAdmin = ({ scheme = '', role = 'ADMIN' }: Operation): boolean =>
  role === 'ADMIN' && /^(administrator|universal|jwt-admin)/.test(scheme);

const callAs = ({ send }: Fixture, { device }: User, operation: Operation): Promise<HttpResponse> => {
  const { method, template, scheme = '', body } = operation;
  const credentials = scheme.endsWith('Refresh')
    ? { Cookie: `${ADMINISTRATOR.refreshCookie}=${device.refreshToken}` }
    : { Authorization: `Bearer ${device.accessToken}` };
  return send(template.replace(/\{\w+\}/, SOME_ID), {
    method,
    headers: { 'X-Fingerprint': device.fingerprint, 'X-Session-Id': device.sessionId, ...credentials },
    body: body && {},
  });
};

const testOperations = async (fixture: Fixture): Promise<void> => {
  fixture.section('Required second factor: what an ADMIN reaches who signed in with a password alone');
  const open = await loadOpenOperations();
  const operations = (await loadOperations()).filter(isForAdmin);
  let refused = 0;
  for (const operation of operations) {
    // Some operations end the session.
    const user = await fixture.createUser(ADMINISTRATOR);
    const response = await callAs(fixture, user, operation);
    const attack = `${operation.method} ${operation.template}`;
    if (open.has(operation.name))
      fixture.check(
        response.status > 0 && response.body?.code !== CODE,
        `${attack} (before enrolment)`,
        response,
      );
    else {
      await fixture.refused(attack, response, REQUIRED);
      refused += 1;
    }
  }
  const isPlausible = refused > 20 && open.size > 20;
  fixture.check(isPlausible, 'all operations', `${refused} refused, ${operations.length - refused} open`);
  const { device } = await fixture.createUser(ADMINISTRATOR);
  const queues = await fixture.send('/api/v1/administrator/queues/', {
    headers: { Authorization: `Bearer ${device.accessToken}` },
  });
  fixture.check([401, 403].includes(queues.status), 'GET /api/v1/administrator/queues/', queues);
};

const listUsers = ({ send }: Fixture, { accessToken }: Device): Promise<HttpResponse> =>
  send('/api/v1/users', { headers: { Authorization: `Bearer ${accessToken}` } });

const testEnrolment = async (fixture: Fixture): Promise<void> => {
  fixture.section('Required second factor: enrolment, and the roles that need none');
  const admin = await createVerifiedUser(fixture, ADMINISTRATOR);
  const factors = fixture.client(ADMINISTRATOR);
  await factors.enableTotp(admin.device);
  await fixture.accepted('an ADMIN after the enrolment', listUsers(fixture, admin.device));
  const device = await factors.auth.refreshed(admin.device);
  await fixture.accepted('an ADMIN after a refresh', listUsers(fixture, device));
  const withPasskey = await createVerifiedUser(fixture, ADMINISTRATOR);
  await factors.addPasskey(withPasskey.device);
  await fixture.accepted('an ADMIN with a new passkey', listUsers(fixture, withPasskey.device));
  for (const [role, path, expected] of [
    ['OPERATOR', '/api/v1/operator/me', REQUIRED],
    ['ARBITER', '/api/v1/arbiter/me', '200'],
  ] as const) {
    const user = await fixture.createUser(ADMINISTRATOR, role);
    const headers = { Authorization: `Bearer ${user.device.accessToken}` };
    const response = await fixture.send(path, { headers });
    if (expected === '200') await fixture.accepted(`an ${role}, who needs none`, response);
    else await fixture.refused(`an ${role}, who needs one`, response, expected);
  }
  const customer = await fixture.createUser(CUSTOMER);
  const exported = await fixture.client(CUSTOMER).as(customer.device, 'GET', '/account/export');
  await fixture.accepted('a customer, who needs none', exported);
};

/** The only factor stays. */
const testRemoval = async (fixture: Fixture): Promise<void> => {
  const admin = await createVerifiedUser(fixture, ADMINISTRATOR);
  const factors = fixture.client(ADMINISTRATOR);
  const { recoveryCodes } = await factors.enableTotp(admin.device);
  const removed = factors.as(admin.device, 'DELETE', '/second-factor/totp', {
    currentPassword: admin.password,
    recoveryCode: recoveryCodes[0],
  });
  await fixture.refused('the ADMIN removes the only factor', removed, REQUIRED);
};

export const testRequiredFactor = async (report: Report): Promise<void> => {
  const running = await startStack({
    RATE_LIMIT_SCALE: '10000',
    SECOND_FACTOR_REQUIRED_FOR: 'ADMIN,OPERATOR',
  });
  const fixture = createFixture(running, report);
  try {
    await testOperations(fixture);
    await testEnrolment(fixture);
    await testRemoval(fixture);
  } finally {
    await fixture.close();
    await running.stop();
  }
};
