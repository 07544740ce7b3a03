import { expect } from 'chai';
import { answer, listSent } from '../testing/contract.ts';
import { expectAnnouncement, expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { fill, press } from '../testing/screen.ts';
import { OwnAccount } from './own-account.tsx';

describe('name of an administrator', () => {
  it('is shown, changed, and taken away by an empty field', async () => {
    answer('administratorName', { body: () => ({ name: 'Grace Hopper' }) });
    await renderScreen(<OwnAccount />, { kind: 'administrator', isSignedIn: true });
    await expectText('Grace Hopper');
    await press('Edit profile');
    answer('administratorName', { body: () => ({ name: 'Ada Byron' }) });
    await fill({ 'Name (optional)': ' Ada Byron ' });
    await press('Save changes');
    await expectAnnouncement('saved', 'status');
    await expectText('Ada Byron');
    await press('Edit profile');
    await fill({ 'Name (optional)': '' });
    await press('Save changes');
    await expectAnnouncement('saved', 'status');
    expect(listSent('administratorNameChange').map(({ body }) => body)).to.deep.equal([
      { name: 'Ada Byron' },
      { name: null },
    ]);
  });
});
