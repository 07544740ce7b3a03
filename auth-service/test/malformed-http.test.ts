import { once } from 'node:events';
import { connect } from 'node:net';
import { CUSTOMER } from '@platform/shared/testing/auth-client';
import { PASSWORD, uniqueEmail } from '@platform/shared/testing/builders';
import { expect } from 'chai';
import { useAuthService } from './auth-service.ts';

describe('Malformed HTTP at auth-service', () => {
  const service = useAuthService();

  /** Everything that arrives until the connection closes. */
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

  it('a sign-up with garbage pipelined after it gets its 201 whole, then 400', async () => {
    const body = JSON.stringify({ email: uniqueEmail(), password: PASSWORD });
    const text = await exchange(`${signUp(`Content-Length: ${body.length}\r\n`, body)}NOT HTTP\r\n\r\n`);
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 201', 'HTTP/1.1 400']);
    expect(text).to.contain('"user":{');
    expect(text).to.contain('"code":"VALIDATION_FAILED"');
  });

  it('Expect: 100-continue with 500,000 declared bytes gets 413 and no 100', async () => {
    const text = await exchange(signUp('Expect: 100-continue\r\nContent-Length: 500000\r\n', ''));
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 413']);
    expect(text).to.contain('"code":"BODY_TOO_LARGE"');
  });

  it('CONNECT gets 400 in the one error body', async () => {
    const text = await exchange('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(statusesIn(text)).to.deep.equal(['HTTP/1.1 400']);
    expect(text).to.contain('"code":"VALIDATION_FAILED"');
  });
});
