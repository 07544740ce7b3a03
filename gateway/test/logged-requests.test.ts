import { Writable } from 'node:stream';
import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { findDeadUrl, type StandIn, startStandIn } from './fake-upstream.ts';
import { type Gateway, startGateway } from './gateway-under-test.ts';

const QUERY = '?code=Unmistakable-8&email=ada@example.com';
const SECRET = /Unmistakable-8|app\.example\.com|\?code/;

describe("The gateway's log", () => {
  let output = '';
  let service: StandIn;
  let gateway: Gateway;
  before('start a gateway to a service that fails in every way, and to one that is away', async () => {
    service = await startStandIn((req, res) => {
      if (req.url?.includes('/slow')) return;
      if (req.url?.includes('/broken')) {
        res.writeHead(200, { 'Content-Length': '100' }).write('half');
        setImmediate(() => res.destroy());
        return;
      }
      res.writeHead(req.url?.includes('/failing') ? 500 : 200).end('{}');
    });
    const logOutput = new Writable({
      write: (line, _encoding, done) => {
        output += line;
        done();
      },
    });
    gateway = await startGateway({
      auth: [await findDeadUrl()],
      admin: [service.url],
      upstreamTimeoutSeconds: 0.2,
      logOutput,
    });
  });
  after(async () => {
    await gateway?.stop();
    await service?.stop();
  });

  const statusOf = async (path: string): Promise<number> => {
    const { status } = await request(gateway.url)
      .get(path + QUERY)
      .set({ Referer: `https://app.example.com/reset${QUERY}`, 'X-Original-URL': `/reset${QUERY}` });
    return status;
  };

  it('has no query string, whether a request succeeds, is refused or fails', async () => {
    expect(await statusOf('/api/v1/users')).to.equal(200);
    expect(await statusOf('/api/v1/users/failing')).to.equal(500);
    expect(await statusOf('/api/v1/users/slow')).to.equal(504);
    expect(await statusOf('/api/v1/auth/me')).to.equal(502);
    expect(await statusOf('/nowhere')).to.equal(404);
    expect(await statusOf('/api/v1/users%2f')).to.equal(400);
    await request(gateway.url)
      .get(`/api/v1/users/broken${QUERY}`)
      .catch((error: Error) => expect(error.message).to.match(/aborted|hang up/));
    expect(await sendRaw(gateway.url, `GET /${QUERY} HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n`)).to.include(
      '400',
    );
    const messages = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).msg);
    expect(messages.filter((message) => message === 'request')).to.have.lengthOf(7);
    expect(messages).to.include.members([
      'upstream response aborted',
      'upstream instance ejected for 1 s',
      'malformed request rejected',
    ]);
    expect(output).not.to.match(SECRET);
  });
});
