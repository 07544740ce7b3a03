import { expect } from 'chai';
import { isPermanent, removeAddresses } from './smtp-errors.ts';

const CASES: [name: string, fields: object, permanent: boolean][] = [
  ['an unknown recipient', { code: 'EENVELOPE', command: 'RCPT TO', permanent: true }, true],
  ['a full mailbox', { code: 'EENVELOPE', command: 'RCPT TO', permanent: false }, false],
  ['rejected content', { code: 'EMESSAGE', command: 'DATA', permanent: true }, true],
  ['a rejected sender', { code: 'EENVELOPE', command: 'MAIL FROM', permanent: true }, false],
  ['a rejected login', { code: 'EAUTH', command: 'AUTH PLAIN', permanent: true }, false],
];

describe('SMTP errors', () => {
  for (const [name, fields, permanent] of CASES)
    it(`classify ${name} as ${permanent ? 'permanent' : 'temporary'}`, () => {
      expect(isPermanent(Object.assign(new Error('5xx'), fields))).to.equal(permanent);
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
