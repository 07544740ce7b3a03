import { expect } from 'chai';
import { deleteAccount } from '../src/account.ts';
import {
  ANOTHER,
  AUTH,
  CREDENTIALS,
  failed,
  failure,
  json,
  noContent,
  session,
  useFakeGateway,
  user,
} from './fake-gateway.ts';

const currentPassword = CREDENTIALS.password;

describe('client account deletion', () => {
  const { responders, signIn, openTabs, listRequests } = useFakeGateway();
  const path = `${AUTH}/account/delete`;
  beforeEach(() => responders.set(path, noContent));

  it('signs out all tabs, and stores no personal data afterwards', async () => {
    const { tabs, storage, close } = await openTabs();
    const reasons: string[] = [];
    for (const tab of tabs) tab.onSignedOut((reason) => reasons.push(reason));
    await deleteAccount(tabs[0], { currentPassword });
    for (const tab of tabs)
      expect(tab.getSnapshot()).to.include({ status: 'signed-out', reason: 'SIGNED_OUT' });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(reasons).to.deep.equal(['SIGNED_OUT', 'SIGNED_OUT']);
    expect(storage.getItem('platform.customer')).not.to.include(user.email);
    expect(listRequests()).to.deep.equal([`POST ${path}`]);
    close();
  });

  for (const [status, code] of [
    [400, 'CURRENT_PASSWORD_WRONG'],
    [401, 'SECOND_FACTOR_INVALID'],
    [409, 'PLATFORM_ROLE_TAKEN'],
  ] as const)
    it(`stays signed in after ${code}`, async () => {
      responders.set(path, failure(status, code));
      const client = await signIn();
      expect(await failed(deleteAccount(client, { currentPassword }))).to.equal(code);
      expect(client.getSnapshot()).to.deep.equal({ status: 'signed-in', user, session });
    });

  it('never deletes the account of another user who signs in meanwhile', async () => {
    const { tabs, close } = await openTabs();
    const [first, second] = tabs;
    responders.set(`${AUTH}/sign-in`, json(200, { token: 'other', ...ANOTHER }));
    // The sign-in holds the lock, so the deletion waits.
    const locked = second.signIn(CREDENTIALS);
    const deletion = failed(deleteAccount(first, { currentPassword }));
    await locked;
    expect(await deletion).to.equal('TOKEN_INVALID');
    expect(listRequests()).to.deep.equal([`POST ${AUTH}/sign-in`]);
    for (const tab of tabs) expect(tab.getSnapshot()).to.deep.equal({ status: 'signed-in', ...ANOTHER });
    close();
  });
});
