import { Writable } from 'node:stream';
import { sendRaw } from '@platform/shared/testing/raw-http';
import { expect } from 'chai';
import request from 'supertest';
import { type FakeUpstream, getUnreachableUrl, startFakeUpstream } from '../fake-upstream.ts';
import { type Gateway, startGateway } from '../start-gateway.ts';

const QUERY = '?code=Unmistakable-8&email=ada@example.com';
const SECRET = /Unmistakable-8|app\.example\.com|\?code/;

describe('gateway request log', () => {
  let output = '';
  let service: FakeUpstream;
  let gateway: Gateway;
  before('start a gateway with a failing and an unavailable service', async () => {
    service = await startFakeUpstream((req, res) => {
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
      auth: [await getUnreachableUrl()],
      admin: [service.url],
      upstreamTimeoutSeconds: 0.2,
      logOutput,
    });
  });
  after(async () => {
    await gateway?.stop();
    await service?.stop();
  });

  const getStatus = async (path: string): Promise<number> => {
    const { status } = await request(gateway.url)
      .get(path + QUERY)
      .set({ Referer: `https://app.example.com/reset${QUERY}`, 'X-Original-URL': `/reset${QUERY}` });
    return status;
  };

  it('never contains a query string, whether a request succeeds, is rejected or fails', async () => {
    expect(await getStatus('/api/v1/users')).to.equal(200);
    expect(await getStatus('/api/v1/users/failing')).to.equal(500);
    expect(await getStatus('/api/v1/users/slow')).to.equal(504);
    expect(await getStatus('/api/v1/auth/me')).to.equal(502);
    expect(await getStatus('/nowhere')).to.equal(404);
    expect(await getStatus('/api/v1/users%2f')).to.equal(400);
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
