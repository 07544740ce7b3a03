import { expect } from 'chai';
import { SENTENCES } from './actions.ts';
import { AUDIT_WORDS } from './audit-words.ts';
import { describeInColumns, describeRecord, type Part, type RecordToDescribe } from './describe-record.ts';

const ADMIN = 'a0000000-0000-4000-8000-000000000000';
const MILA = 'b0000000-0000-4000-8000-000000000000';
const SHOP = 'c0000000-0000-4000-8000-000000000000';

const record = (action: string, fields: Partial<RecordToDescribe> = {}): RecordToDescribe => ({
  action: action as RecordToDescribe['action'],
  actorId: ADMIN,
  actorEmail: 'admin@example.com',
  actorName: null,
  actorPlatformRole: 'ADMIN',
  targetType: 'USER',
  targetId: MILA,
  targetName: 'mila@example.com',
  user: null,
  details: {},
  ...fields,
});
const project = { targetType: 'PROJECT', targetId: SHOP, targetName: 'Bakery' };

const toParts = (entry: RecordToDescribe, aboutUserId?: string, language: 'en' | 'de' = 'en') =>
  describeRecord(entry, {
    sentences: SENTENCES[language],
    words: AUDIT_WORDS[language],
    names: (name) => name.toLowerCase(),
    aboutUserId,
  });
const toSentence = (...entry: Parameters<typeof toParts>) =>
  toParts(...entry)
    .map(({ text }) => text)
    .join('');
const toSentenceOnPage = (entry: RecordToDescribe, language: 'en' | 'de') =>
  describeRecord(entry, {
    sentences: SENTENCES[language],
    words: AUDIT_WORDS[language],
    names: (name) => name.toLowerCase(),
    aboutTargetId: SHOP,
  })
    .map(({ text }) => text)
    .join('');
const toGerman = (entry: RecordToDescribe) => toSentence(entry, undefined, 'de');

describe('sentences of the audit log', () => {
  it('do not name the project or team on its own page', () => {
    const moved = record('PROJECT_STATUS_CHANGED', { ...project, details: { status: 'COMPLETED' } });
    expect(toSentence(moved)).to.match(/ moved the project Bakery to “completed”$/);
    expect(toSentenceOnPage(moved, 'en')).to.match(/ moved the project to “completed”$/);
    expect(toSentenceOnPage(moved, 'de')).to.match(/ hat das Projekt auf „completed“ gesetzt$/);
    const verified = record('TEAM_VERIFIED', { targetType: 'TEAM', targetId: SHOP, targetName: 'Blue Door' });
    expect(toSentenceOnPage(verified, 'en')).to.match(/ verified the team$/);
  });

  it('name the colleague who helped, and not the user', () => {
    const removed = (details: Record<string, unknown>) => record('SECOND_FACTOR_RESET', { details });
    const google = record('IDENTITY_UNLINKED', { details: { provider: 'google' } });
    const HELP: [entry: RecordToDescribe, english: string, german: string, onPage: string][] = [
      [
        record('ACCOUNT_EXPORTED'),
        'exported the data of mila@example.com',
        'hat die Daten von mila@example.com exportiert',
        'exported the data of the account',
      ],
      [
        google,
        'disconnected google from mila@example.com',
        'hat google von mila@example.com getrennt',
        'disconnected google',
      ],
      [
        removed({ factor: 'totp' }),
        'removed the authenticator app of mila@example.com',
        'hat die Authenticator-App von mila@example.com entfernt',
        'removed the authenticator app',
      ],
      [
        removed({ factor: 'passkey', passkeyId: SHOP }),
        'removed a passkey of mila@example.com',
        'hat einen Passkey von mila@example.com entfernt',
        'removed a passkey',
      ],
      [
        removed({}),
        'removed app, passkeys and codes of mila@example.com',
        'hat App, Passkeys und Codes von mila@example.com entfernt',
        'removed app, passkeys and codes',
      ],
      [
        record('RESET_MAIL_SENT'),
        'sent mila@example.com a code to reset the password',
        'hat mila@example.com einen Code zum Zurücksetzen des Passworts gesendet',
        'sent this user a code to reset the password',
      ],
    ];
    for (const [entry, english, german, onPage] of HELP) {
      expect(toSentence(entry)).to.equal(`admin@example.com ${english}`);
      expect(toGerman(entry)).to.equal(`admin@example.com ${german}`);
      expect(toSentence(entry, MILA)).to.equal(`admin@example.com ${onPage}`);
    }
  });

  it('name nobody on the page of a user who did it themselves', () => {
    const own = (action: string) => record(action, { actorId: MILA, details: { provider: 'google' } });
    expect(toSentence(own('ACCOUNT_EXPORTED'), MILA)).to.equal('Exported the data of the account');
    expect(toSentence(own('IDENTITY_UNLINKED'), MILA)).to.equal('Disconnected google');
    expect(toSentence(own('SESSION_ENDED'), MILA)).to.equal('Signed out one device');
    expect(toSentence(own('SESSIONS_ENDED'), MILA)).to.equal('Signed out their devices');
  });

  it('link who acted and what was changed', () => {
    expect(toParts(record('USER_BLOCKED'))).to.deep.equal([
      { text: 'admin@example.com', href: `/users/${ADMIN}`, isName: true, role: 'ADMIN' },
      { text: ' blocked ' },
      { text: 'mila@example.com', href: `/users/${MILA}`, isName: true },
    ]);
    expect(toParts(record('TEAM_VERIFIED', { ...project, targetType: 'TEAM' }))[2]?.href).to.equal(
      `/teams/${SHOP}`,
    );
    expect(toParts(record('PROJECT_DELETED', project))[2]).to.deep.include({
      text: 'Bakery',
      href: undefined,
    });
  });

  it('name what was changed, and the role', () => {
    const edited = record('PROJECT_EDITED', { ...project, details: { fields: ['title', 'category'] } });
    expect(toSentence(edited)).to.equal(
      'admin@example.com changed the title and the category of the project Bakery',
    );
    expect(toSentence(record('ROLE_ASSIGNED', { details: { role: 'ARBITER' } }))).to.equal(
      'admin@example.com gave the role arbiter to mila@example.com',
    );
  });

  it('name a service, the command line, or nobody', () => {
    const nobody = { actorId: null, actorEmail: null };
    expect(
      toSentence(record('PROJECT_CREATED', { ...project, ...nobody, details: { service: 'orders' } })),
    ).to.equal('Orders (service) created the project Bakery');
    expect(toSentence(record('ROLE_REMOVED', { ...nobody, details: { role: 'ADMIN' } }))).to.equal(
      'The command line took the role admin from mila@example.com',
    );
    expect(toSentence(record('SIGN_IN_FAILED', { ...nobody, details: { step: 'second-factor' } }))).to.equal(
      'A sign-in as mila@example.com failed at the second step',
    );
  });

  it('say whether the device of a sign-in was new', () => {
    const signedIn = (isNewDevice: boolean) =>
      record('SIGNED_IN', { actorId: MILA, actorEmail: 'mila@example.com', details: { isNewDevice } });
    expect(toSentence(signedIn(false))).to.equal('mila@example.com signed in');
    expect(toSentence(signedIn(true))).to.equal('mila@example.com signed in on a new device');
    expect(toSentence(signedIn(true), MILA)).to.equal('Signed in on a new device');
    expect(toGerman(signedIn(true))).to.equal('mila@example.com hat sich auf einem neuen Gerät angemeldet');
  });

  it('say why a sign-in failed', () => {
    const failed = (details: Record<string, unknown>) =>
      record('SIGN_IN_FAILED', { actorId: null, actorEmail: null, details });
    expect(toSentence(failed({ reason: 'WRONG_PASSWORD' }))).to.equal(
      'A sign-in as mila@example.com failed: wrong password',
    );
    expect(toSentence(failed({ reason: 'PROVIDER_REJECTED', provider: 'company' }))).to.equal(
      'A sign-in as mila@example.com failed with company: the account at the provider may not sign in',
    );
    expect(toGerman(failed({ reason: 'WRONG_FACTOR', step: 'second-factor' }))).to.equal(
      'Fehlgeschlagene Anmeldung als mila@example.com im zweiten Schritt: falscher zweiter Faktor',
    );
    // A later release may have other reasons.
    expect(toSentence(failed({ reason: 'MOON_PHASE' }))).to.equal(
      'A sign-in as mila@example.com failed: MOON_PHASE',
    );
  });

  it('say that somebody or something is gone', () => {
    expect(toSentence(record('PASSWORD_CHANGED', { actorEmail: null }))).to.equal(
      'A deleted user changed the password of their account',
    );
    expect(toParts(record('TEAM_VERIFIED', { targetType: 'TEAM', targetName: null })).at(-1)).to.deep.equal({
      text: 'a deleted team',
    });
  });

  it('say in correct grammar what happened to a user who is gone', () => {
    const gone = { targetName: null };
    const own = record('ACCOUNT_DELETED', { ...gone, actorId: MILA, actorEmail: null });
    expect(toSentence(own)).to.equal('A deleted user deleted their own account');
    expect(toGerman(own)).to.equal('Eine gelöschte Person hat das eigene Konto gelöscht');
    expect(toSentence(record('ACCOUNT_DELETED', gone))).to.equal(
      'admin@example.com deleted the account of a deleted user',
    );
    expect(toGerman(record('ACCOUNT_DELETED', gone))).to.equal(
      'admin@example.com hat das Konto von einer gelöschten Person gelöscht',
    );
    expect(toGerman(record('ROLE_REMOVED', { ...gone, details: { role: 'ADMIN' } }))).to.equal(
      'admin@example.com hat einer gelöschten Person die Rolle admin entzogen',
    );
    expect(toGerman(record('PAUSE_ENDED', gone))).to.equal(
      'admin@example.com hat eine Pause von einer gelöschten Person beendet',
    );
    const accepted = record('INVITATION_ACCEPTED', { user: { id: MILA, name: null } });
    expect(toGerman(accepted)).to.equal(
      'admin@example.com hat die Einladung von einer gelöschten Person angenommen',
    );
    expect(toGerman(record('INVITATION_ACCEPTED'))).to.equal(
      'admin@example.com hat die Einladung von einer unbekannten Person angenommen',
    );
    expect(toGerman(record('USER_BLOCKED', gone))).to.equal(
      'admin@example.com hat eine gelöschte Person gesperrt',
    );
  });

  it('do not name the user on whose page they are', () => {
    expect(toSentence(record('USER_BLOCKED'), MILA)).to.equal('admin@example.com blocked this user');
    expect(toSentence(record('PASSWORD_CHANGED', { actorId: MILA }), MILA)).to.equal('Changed the password');
    expect(toSentence(record('PROJECT_DELETED', project), ADMIN)).to.equal('Deleted the project Bakery');
    expect(toSentence(record('USER_BLOCKED'), ADMIN)).to.equal('admin@example.com blocked mila@example.com');
  });

  it('name the user of a mail, if there is one', () => {
    const mail = { targetType: 'MAIL', targetId: SHOP, targetName: null };
    const toMila = record('MAIL_DELETED', { ...mail, user: { id: MILA, name: 'Mila Novak' } });
    expect(toSentence(toMila)).to.equal('admin@example.com deleted a mail to Mila Novak that was not sent');
    expect(toParts(toMila)[2]).to.deep.include({ href: `/users/${MILA}` });
    expect(toSentence(record('MAIL_RETRIED', { ...mail, user: { id: MILA, name: null } }))).to.equal(
      'admin@example.com sent a mail to a deleted user again',
    );
    expect(toGerman(record('MAIL_RETRIED', mail))).to.equal(
      'admin@example.com hat eine E-Mail an eine unbekannte Person erneut gesendet',
    );
  });

  it('name which mail it was, and its masked recipient if it concerns no user', () => {
    const mail = { targetType: 'MAIL', targetId: SHOP, targetName: 'invitation j…@example.com' };
    expect(toSentence(record('MAIL_RETRIED', { ...mail, details: { mail: 'INVITATION' } }))).to.equal(
      'admin@example.com sent a mail to j…@example.com again: invitation',
    );
  });

  it('name the object of each change: members, invited colleagues, requests', () => {
    const user = { id: MILA, name: 'Mila Novak' };
    const team = { targetType: 'TEAM', targetId: SHOP, targetName: 'Bakery', user };
    expect(toSentence(record('TEAM_MEMBER_ADDED', team))).to.equal(
      'admin@example.com added Mila Novak to the team Bakery',
    );
    const invitation = { targetType: 'INVITATION', targetId: SHOP, details: { role: 'OPERATOR' } };
    expect(toSentence(record('INVITATION_SENT', invitation))).to.equal(
      'admin@example.com invited mila@example.com as operator',
    );
    expect(toSentence(record('INVITATION_SENT', { ...invitation, targetName: null }))).to.equal(
      'admin@example.com invited a colleague as operator',
    );
    const withdrawn = { ...invitation, targetName: 'j…@example.com', details: { reason: 'inviter-blocked' } };
    expect(toSentence(record('INVITATION_WITHDRAWN', withdrawn))).to.equal(
      'admin@example.com withdrew the invitation for j…@example.com: its sender was blocked',
    );
    const accepted = record('INVITATION_ACCEPTED', { ...invitation, actorName: 'Nadja', user });
    expect(toSentence(accepted)).to.equal('Nadja accepted the invitation of Mila Novak as operator');
    expect(toGerman(accepted)).to.equal('Nadja hat die Einladung von Mila Novak als operator angenommen');
    const request = { targetType: 'CONTACT_REQUEST', targetId: SHOP };
    expect(toParts(record('CONTACT_REQUEST_DONE', request))[2]?.href).to.equal(`/contact-requests/${SHOP}`);
    expect(toSentence(record('CONTACT_REQUEST_ASSIGNED', { ...request, user }))).to.equal(
      'admin@example.com assigned the request of mila@example.com to Mila Novak',
    );
    const released = { ...request, targetName: null, details: { userId: null } };
    expect(toSentence(record('CONTACT_REQUEST_ASSIGNED', released))).to.equal(
      'admin@example.com assigned the request of a sender who is gone to nobody',
    );
  });

  it('mark a colleague, and name the address of anybody else who has a name', () => {
    const mark = (fields: object) => {
      const [{ role, address } = {}] = toParts(record('USER_BLOCKED', fields)) as Partial<Part>[];
      return [role, address];
    };
    const named = { actorName: 'Anna Berg', actorEmail: 'anna@example.net' };
    expect(mark(named)).to.deep.equal(['ADMIN', undefined]);
    expect(mark({ ...named, actorPlatformRole: null })).to.deep.equal([undefined, 'anna@example.net']);
    expect(mark({ actorPlatformRole: null })).to.deep.equal([undefined, undefined]);
  });

  it('go on after who acted where a column has that', () => {
    const inColumns = (entry: RecordToDescribe) => {
      const { who, what } = describeInColumns(entry, {
        sentences: SENTENCES.en,
        words: AUDIT_WORDS.en,
        names: (name) => name,
      });
      return [who?.text, what.map(({ text }) => text).join('')];
    };
    expect(inColumns(record('USER_BLOCKED'))).to.deep.equal([
      'admin@example.com',
      'blocked mila@example.com',
    ]);
    expect(inColumns(record('EMAIL_VERIFIED'))).to.deep.equal([
      'mila@example.com',
      'verified their email address',
    ]);
    const failed = record('SIGN_IN_FAILED', { actorId: null, actorEmail: null });
    expect(inColumns(failed)).to.deep.equal([undefined, 'A sign-in as mila@example.com failed']);
  });

  it('keep a name at the start as it is written, and name no target as unknown', () => {
    expect(toSentence(record('EMAIL_VERIFIED', { targetName: 'de la Cruz' }))).to.equal(
      'de la Cruz verified their email address',
    );
    const nobody = { actorId: null, actorEmail: null, targetType: null, targetId: null, targetName: null };
    expect(toSentence(record('SIGN_IN_FAILED', nobody))).to.equal('A sign-in as an unknown person failed');
  });

  it('show what a customer has typed as text', () => {
    const hostile = '<img onerror=alert(1)> {actor}';
    const parts = toParts(record('PROJECT_DELETED', { ...project, targetName: hostile }));
    expect(parts.at(-1)?.text).to.equal(hostile);
  });

  it('show an unknown action by its name', () => {
    expect(toSentence(record('MOON_LANDED'))).to.equal('admin@example.com: MOON_LANDED (mila@example.com)');
    expect(toSentence(record('constructor'))).to.include('constructor');
  });

  it('have the same placeholders in both languages', () => {
    const placeholders = (text = '') => (text.replaceAll('Dative}', '}').match(/\{\w+\}/g) ?? []).sort();
    for (const [action, english] of Object.entries(SENTENCES.en)) {
      const german = SENTENCES.de[action as keyof typeof SENTENCES.de];
      expect(german?.map(placeholders), action).to.deep.equal(english.map(placeholders));
    }
  });
});
