import { brotliCompressSync } from 'node:zlib';
import { expect } from 'chai';
import express from 'express';
import request from 'supertest';
import { sendStatic } from './static-content.ts';

const TEXT = 'x'.repeat(10_000);

describe('static content', () => {
  let reads: number;
  const app = express()
    .disable('etag')
    .get('/file.js', (req, res, next) => send(req, res, next));
  let send: ReturnType<typeof sendStatic>;
  beforeEach(() => {
    reads = 0;
    send = sendStatic('file.js', () => {
      reads += 1;
      return TEXT;
    });
  });
  const get = (headers: Record<string, string>) =>
    request(app)
      .get('/file.js')
      .set({ 'Accept-Encoding': 'identity', ...headers });

  for (const encoding of ['identity', '', 'br', 'gzip;q=0', 'gzip;q=0, *', 'identity, gzip;q=0.5'])
    it(`is not compressed for Accept-Encoding: ${encoding || 'nothing'}`, async () => {
      const { status, headers, text } = await get({ 'Accept-Encoding': encoding });
      expect(status).to.equal(200);
      expect(headers).not.to.have.property('content-encoding');
      expect(text).to.equal(TEXT);
    });

  for (const encoding of ['gzip', 'gzip, deflate, br, zstd', 'deflate, GZIP;q=0.5', '*'])
    it(`is compressed for Accept-Encoding: ${encoding}`, async () => {
      // The client decompresses the text.
      const { headers, text } = await get({ 'Accept-Encoding': encoding });
      expect(headers['content-encoding']).to.equal('gzip');
      expect(Number(headers['content-length'])).to.be.below(TEXT.length);
      expect(text).to.equal(TEXT);
    });

  it('is sent in Brotli to a client that accepts it, if it was compressed before', async () => {
    send = sendStatic('file.js', () => TEXT, undefined, brotliCompressSync(TEXT));
    const encodings = {
      'gzip, deflate, br, zstd': 'br',
      'br;q=0, gzip': 'gzip',
      gzip: 'gzip',
      identity: undefined,
    };
    const etags = new Set<string | undefined>();
    for (const [accepted, encoding] of Object.entries(encodings)) {
      const { headers, text } = await get({ 'Accept-Encoding': accepted });
      expect(headers['content-encoding'], accepted).to.equal(encoding);
      expect(text, accepted).to.equal(TEXT);
      etags.add(headers['etag']);
    }
    expect(etags.size).to.equal(3);
  });

  it('is kept by browsers for an hour, and separately for each encoding', async () => {
    const { headers } = await get({});
    expect(headers['content-type']).to.match(/^text\/javascript/);
    expect(headers).to.include({ 'cache-control': 'public, max-age=3600', vary: 'Accept-Encoding' });
  });

  it('is not sent again to a client that has it, and read once', async () => {
    for (const encoding of ['identity', 'gzip']) {
      const first = await get({ 'Accept-Encoding': encoding });
      const headers = { 'Accept-Encoding': encoding, 'If-None-Match': first.headers['etag'] ?? '' };
      expect((await get(headers)).status, encoding).to.equal(304);
      const other = encoding === 'gzip' ? 'identity' : 'gzip';
      expect((await get({ ...headers, 'Accept-Encoding': other })).status, encoding).to.equal(200);
    }
    expect(reads).to.equal(1);
  });
});
