import { expect } from 'chai';
import { toMailCause } from './mail-cause.ts';

const CASES = {
  'mailbox-full': [
    'Rejected: Can’t send mail - all recipients were rejected: 552 5.2.2 Over quota',
    "Can't send mail - all recipients were rejected: 452 4.2.2 Mailbox full",
    'Rejected: 552 Storage',
  ],
  'unknown-address': [
    'Rejected: 550 5.1.1 Mailbox unknown',
    'Rejected: Message failed: 550 No such user',
    'Rejected: 553 5.1.3 Bad address',
    'The user has no verified address',
  ],
  refused: [
    'Rejected: Message failed: 554 5.7.1 Spam',
    'Rejected: 550 5.7.26 Not authenticated',
    '535 5.7.8 Login',
  ],
  busy: [
    'Message failed: 451 4.7.1 Greylisted',
    '421 Too many connections',
    'Message failed: 452-4.3.1 Disk',
  ],
  unreachable: [
    'connect ECONNREFUSED 127.0.0.1:587',
    'getaddrinfo ENOTFOUND smtp.550.example',
    'Connection timeout',
    'Greeting never received',
  ],
  other: [
    'Cannot be rendered: x is 512345',
    'The code expired before its mail could be sent',
    '10.550.0.1',
    '',
  ],
} as const;

describe('cause of the failure of a mail', () => {
  for (const [cause, failures] of Object.entries(CASES))
    for (const failure of failures)
      it(`is ${cause} for “${failure}”`, () => expect(toMailCause(failure)).to.equal(cause));

  it('is null without a failure', () => expect(toMailCause(null)).to.equal(null));
});
