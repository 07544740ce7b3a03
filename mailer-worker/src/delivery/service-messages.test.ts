import { uniqueEmail } from '@platform/shared/testing/builders';
import { waitFor } from '@platform/shared/testing/poll';
import { expect } from 'chai';
import { formMail, noticeMail, useMailFixture } from '../../testing/mail-fixture.ts';
import { toVisibleText } from '../../testing/visible-text.ts';

const URL = 'https://example.com/bids/1';
const MESSAGE = {
  template: 'service-message',
  service: 'projects',
  subject: 'A team has made a bid',
  text: 'Studio North has made a bid.\n<b>It</b> is valid until Friday.',
  action: { label: 'See the bid', url: URL },
};

describe('message of another service', () => {
  const fixture = useMailFixture();
  const createUser = (fields: object = {}) =>
    fixture().records.user(['CUSTOMER'], { isEmailVerified: true, ...fields });
  const waitUntilOutboxEmpty = () =>
    waitFor('the outbox is empty', async () => (await fixture().readOutbox()).length === 0);

  it('is sent once as given, from the service via the product, and recorded without its texts', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo, records } = fixture();
    const user = await createUser();
    await startWorker();
    const id = await addToOutbox(MESSAGE, user.id);
    await waitUntilSent(user.email);
    await waitUntilOutboxEmpty();
    const [mail, ...others] = getMailsTo(user.email);
    expect(others).to.deep.equal([]);
    expect(mail?.subject).to.equal(MESSAGE.subject);
    expect(mail?.messageId).to.equal(`<${id}@platform.example>`);
    expect(mail?.headers['from']).to.match(/^"?projects via Marketplace"? <no-reply@platform\.example>$/);
    expect(mail?.from).to.equal('no-reply@platform.example');
    expect(mail?.text).to.include(`See the bid: ${URL}`).and.include('“projects”, a service of Marketplace');
    expect(mail?.html).to.include(`href="${URL}"`).and.not.include('<b>It');
    expect(toVisibleText(mail?.html ?? '')).to.include('<b>It</b> is valid until Friday.');
    const [row, ...rows] = await records.query<Record<string, string>>(
      'select * from sent_mails where user_id = $1',
      [user.id],
    );
    expect(rows).to.deep.equal([]);
    expect(row).to.include({ id, mail: 'service-message', service: 'projects', recipient: user.email });
    expect(JSON.stringify(row)).not.to.match(/bid|Studio/);
  });

  it('is in the language of the user, and reaches blocked users', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo } = fixture();
    const user = await createUser({ language: 'de', isBlocked: true });
    await startWorker();
    await addToOutbox({ ...MESSAGE, action: null }, user.id);
    await waitUntilSent(user.email);
    expect(getMailsTo(user.email)[0]?.text).to.include('Diese E-Mail kommt von „projects“');
  });

  it('goes to the address at the time of the delivery', async () => {
    const { startWorker, addToOutbox, waitUntilSent, getMailsTo, records } = fixture();
    const [user, email] = [await createUser(), uniqueEmail()];
    await addToOutbox(MESSAGE, user.id);
    await records.query('update users set email = $2 where id = $1', [user.id, email]);
    await startWorker();
    await waitUntilSent(email);
    expect(getMailsTo(user.email)).to.deep.equal([]);
  });

  it('fails without being sent while the address is not verified', async () => {
    const { startWorker, addToOutbox, readOutbox, smtp } = fixture();
    const user = await createUser({ isEmailVerified: false });
    await startWorker();
    await addToOutbox(MESSAGE, user.id);
    await waitFor('it has failed', async () => (await readOutbox())[0]?.failedAt !== null);
    expect((await readOutbox())[0]?.failure).to.equal('The user has no verified address');
    expect(smtp.attemptsFor(user.email)).to.deep.equal([]);
  });

  it('waits for notices and forms, however many messages a service has created before', async () => {
    const { startWorker, addManyToOutbox, addToOutbox, waitUntilSent, smtp } = fixture();
    const [user, notice, form] = [await createUser(), uniqueEmail(), uniqueEmail()];
    await addManyToOutbox(400, MESSAGE, user.id);
    await addToOutbox(formMail(form));
    await addToOutbox(noticeMail(notice));
    await startWorker({ MAIL_CONCURRENCY: '1' });
    await Promise.all([waitUntilSent(notice), waitUntilSent(form)]);
    const order = smtp.mails().map(({ to: [to] }) => to);
    // A few messages may be on the way before the others are claimed.
    expect(order.indexOf(notice)).to.be.below(20);
    expect(order.indexOf(form)).to.be.below(20);
  });
});
