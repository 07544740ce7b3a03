import { ADMINISTRATOR, createAuthClient, type Device } from '@platform/shared/testing/auth-client';
import { parseSetCookies } from '@platform/shared/testing/http-client';
import { createRecords, type Records } from '@platform/shared/testing/records';
import { expectError, send } from '@platform/shared/testing/responses';
import { type StackFile, sharedStack } from '@platform/shared/testing/stack';
import { expect } from 'chai';
import request from 'supertest';

const PAGES = '/api/v1/administrator/queues';

describe('The page of queues, through the gateway', () => {
  let stack: StackFile;
  let records: Records;
  before('start the stack', async function () {
    this.timeout(60_000);
    stack = (await sharedStack()).stack;
    records = createRecords(stack.databaseUrl);
  });
  after('close the database', () => records?.close());
  const signIn = async () =>
    createAuthClient(stack.gatewayUrl, ADMINISTRATOR).openDevice(await records.user(['ADMIN']));
  const openPages = async ({ accessToken }: Device): Promise<{ Cookie: string }> => {
    const headers = { Authorization: `Bearer ${accessToken}` };
    const answer = await send(stack.gatewayUrl, 'POST', `${PAGES}/session`, { headers });
    const [cookie] = parseSetCookies(answer);
    return { Cookie: `${cookie?.name}=${cookie?.value}` };
  };

  it('When an ADMIN has opened it, then a browser sees the queues, and only what this host gives it', async () => {
    const cookie = await openPages(await signIn());
    const page = await request(stack.gatewayUrl).get(`${PAGES}/`).set(cookie);
    expect(page.status, page.text).to.equal(200);
    expect(page.text).not.to.match(/(?:src|href)="(?:https?:)?\/\//);
    expect(page.headers['content-security-policy'])
      .to.include("default-src 'self'")
      .and.not.to.match(/https?:/);
    const [, script] = /src="(static\/js\/main[^"]+)"/.exec(page.text) ?? [];
    expect((await request(stack.gatewayUrl).get(`${PAGES}/${script}`).set(cookie)).status).to.equal(200);
    const { body } = await request(stack.gatewayUrl).get(`${PAGES}/api/queues`).set(cookie);
    expect(body.queues.map(({ name }: { name: string }) => name)).to.have.members(['mail', 'maintenance']);
  });

  it('When the ADMIN refreshes the tokens, then the page stays open; after the sign-out it does not', async () => {
    const client = createAuthClient(stack.gatewayUrl, ADMINISTRATOR);
    const device = await signIn();
    const cookie = await openPages(device);
    const later = await client.refreshed(device);
    expect((await request(stack.gatewayUrl).get(`${PAGES}/api/queues`).set(cookie)).status).to.equal(200);
    await client.signOut(later);
    expectError(await request(stack.gatewayUrl).get(`${PAGES}/api/queues`).set(cookie), 401, 'TOKEN_INVALID');
  });

  it('When a change comes from the page itself, then it is made; from elsewhere it is not', async () => {
    const cookie = await openPages(await signIn());
    const change = (origin: string) =>
      request(stack.gatewayUrl)
        .put(`${PAGES}/api/queues/mail/clean/completed`)
        .set({ ...cookie, Origin: origin });
    expect((await change(stack.gatewayUrl)).status).to.equal(200);
    expectError(await change('http://127.0.0.1:5173'), 403, 'WORKSPACE_FORBIDDEN');
    expectError(await change('https://evil.example'), 403, 'WORKSPACE_FORBIDDEN');
  });
});
