import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { AUDIT_ACTIONS } from './audit-actions.ts';
import { toCausedBy, toEvents } from './events.ts';

const PAGE = resolve(import.meta.dirname, '../../../../docs/other-services.md');
const CODE_SPAN = /`([^`]+)`/g;
const EVENT = /`([a-z]+\.[a-z-]+)`(?: \(([^)]*)\))?/g;

/** Lines such as `USER_BLOCKED: user.blocked()`. */
const toLine = (action: string, events: [type: string, data: string[]][]): string =>
  `${action}: ${events.map(([type, data]) => `${type}(${data.join()})`).join(' ')}`;

/** The rows of the table: a change, its audit action, and its events with their data. */
const readTable = async (): Promise<string[]> => {
  const [, table = ''] = (await readFile(PAGE, 'utf8')).split('<!-- events -->');
  return table
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => {
      const [, , action = '', events = ''] = line.split('|').map((cell) => cell.trim());
      return toLine(
        action.replaceAll('`', ''),
        [...events.matchAll(EVENT)].map(([, type = '', data = '']) => [
          type,
          [...data.matchAll(CODE_SPAN)].map(([, name = '']) => name),
        ]),
      );
    });
};

describe('events that audited actions cause', () => {
  it('are those of the table in docs/other-services.md', async () => {
    // Every condition of an event is met.
    const details = { isFirstProof: true, clearedProfiles: [{}], isPasswordRemoved: true };
    const caused = AUDIT_ACTIONS.map((action) => ({
      action,
      events: toEvents({ action, targetId: '', details }).map(({ type, data }): [string, string[]] => [
        type,
        Object.keys(data),
      ]),
    }));
    const lines = caused.flatMap(({ action, events }) => (events.length > 0 ? toLine(action, events) : []));
    expect(await readTable()).to.have.members(lines);
  });
});

describe('the cause of an event', () => {
  const account = { targetId: 'account', actorId: undefined };

  it('is the account itself for a proof, a reset and what follows from an accepted invitation', () => {
    for (const action of ['EMAIL_VERIFIED', 'PASSWORD_RESET'] as const)
      expect(toCausedBy({ action, ...account })).to.equal('user:account');
    const accepted = { actorId: 'inviter', targetId: 'account', details: { invitationId: 'invitation' } };
    expect(toCausedBy({ action: 'ROLE_ASSIGNED', ...accepted })).to.equal('user:account');
    expect(toCausedBy({ action: 'ACCOUNT_REGISTERED', ...account, actorId: 'account' })).to.equal(
      'user:account',
    );
  });

  it('is the ADMIN, or the service, who acts', () => {
    for (const action of ['USER_BLOCKED', 'ROLE_ASSIGNED', 'ADMINISTRATOR_REGISTERED'] as const)
      expect(toCausedBy({ action, actorId: 'admin', targetId: 'account' })).to.equal('user:admin');
    expect(toCausedBy({ action: 'TEAM_CREATED', service: 'projects', targetId: 'team' })).to.equal(
      'service:projects',
    );
  });

  it('is the platform for an import, a command and the first administrator', () => {
    for (const action of ['ACCOUNT_IMPORTED', 'ROLE_ASSIGNED', 'ROLE_REMOVED', 'ACCOUNT_DELETED'] as const)
      expect(toCausedBy({ action, ...account })).to.equal('platform');
    const first = { actorId: 'account', targetId: 'account' };
    expect(toCausedBy({ action: 'ADMINISTRATOR_REGISTERED', ...first })).to.equal('platform');
  });
});
