import { expect } from 'chai';
import { concernsAllMails, isPermanent, removeAddresses } from './smtp-transport.ts';

const CASES: [name: string, fields: object, permanent: boolean, allMails: boolean][] = [
  ['an unknown recipient', { code: 'EENVELOPE', command: 'RCPT TO', permanent: true }, true, false],
  ['a full mailbox', { code: 'EENVELOPE', command: 'RCPT TO', permanent: false }, false, false],
  ['rejected content', { code: 'EMESSAGE', command: 'DATA', permanent: true }, true, false],
  ['an invalid address', { code: 'EENVELOPE', command: 'API' }, false, false],
  ['a mail that is too large', { code: 'EMESSAGE', command: 'MAIL FROM' }, false, false],
  ['a rejected sender', { code: 'EENVELOPE', command: 'MAIL FROM', permanent: true }, false, true],
  ['a rejected login', { code: 'EAUTH', command: 'AUTH PLAIN', permanent: true }, false, true],
  ['a missing login', { code: 'ENOAUTH' }, false, true],
  ['a refused connection', { code: 'ESOCKET', command: 'CONN' }, false, true],
  ['a timeout', { code: 'ETIMEDOUT', command: 'CONN' }, false, true],
  ['an unknown host', { code: 'EDNS', command: 'CONN' }, false, true],
  ['missing TLS', { code: 'ETLS', command: 'STARTTLS' }, false, true],
  ['a greeting with 421', { code: 'EPROTOCOL', command: 'CONN', permanent: false }, false, true],
];

describe('SMTP errors', () => {
  for (const [name, fields, permanent, allMails] of CASES)
    it(`classify ${name} as ${permanent ? 'permanent' : 'temporary'}, for ${allMails ? 'all mails' : 'one mail'}`, () => {
      const error = Object.assign(new Error('5xx'), fields);
      expect([isPermanent(error), concernsAllMails(error)]).to.deep.equal([permanent, allMails]);
    });

  it('contain no address after its removal', () => {
    for (const text of [
      "Can't send mail - all recipients were rejected: 550 5.1.1 <Ada.Byron+x@mail.example.com>: unknown",
      "550 'ada@example.com' (müller@example.com); ada@[192.0.2.1], bob@x.example: unknown",
    ])
      expect(removeAddresses(text))
        .to.match(/550.*unknown/)
        .and.not.match(/@|ada|byron|müller|bob/i);
  });
});
