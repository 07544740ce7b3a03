import { once } from 'node:events';
import { connect } from 'node:net';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { useAuthService } from '../auth-service.ts';

describe('malformed HTTP requests to auth-service', () => {
  const service = useAuthService();

  /** All data until the connection closes. */
  const exchange = async (bytes: string): Promise<string> => {
    const socket = connect(Number(new URL(service().url).port), '127.0.0.1').setEncoding('utf8');
    let text = '';
    socket.on('data', (part) => {
      text += part;
    });
    socket.write(bytes);
    await once(socket, 'close');
    return text;
  };
  const statusesIn = (text: string) => text.match(/HTTP\/1\.1 \d{3}/g);
  const signUp = (headers: string, body: string) =>
    `POST ${CUSTOMER.path}/sign-up HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${headers}\r\n${body}`;

  it('returns 201 for a sign-up and 400 for garbage pipelined after it', async () => {
    const body = JSON.stringify({ email: uniqueEmail(), password: PASSWORD });
    const text = await exchange(`${signUp(`Content-Length: ${body.length}\r\n`, body)}NOT HTTP\r\n\r\n`);
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 201', 'HTTP/1.1 400']);
    expect(text).to.contain('"user":{');
    expect(text).to.contain('"code":"VALIDATION_FAILED"');
  });

  it('returns 413 and no 100 for Expect: 100-continue with a declared size of 500,000 bytes', async () => {
    const text = await exchange(signUp('Expect: 100-continue\r\nContent-Length: 500000\r\n', ''));
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 413']);
    expect(text).to.contain('"code":"BODY_TOO_LARGE"');
  });

  it('returns 400 with the common error body for CONNECT', async () => {
    const text = await exchange('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 400']);
    expect(text).to.contain('"code":"VALIDATION_FAILED"');
  });
});
