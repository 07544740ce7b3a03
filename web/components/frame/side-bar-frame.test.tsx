import { expect } from 'chai';
import { expectNoText, expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { press, pressEscape, user } from '../../testing/screen.ts';
import { OverviewIcon } from '../icons.tsx';
import { SideBarFrame } from './side-bar-frame.tsx';

describe('side bar', () => {
  let signOuts = 0;
  const open = async () => {
    signOuts = 0;
    const entries = [
      { href: '/', label: 'Overview', icon: <OverviewIcon /> },
      { href: '/teams', label: 'Teams', icon: <OverviewIcon />, waiting: 4 },
      { href: '/mails', label: 'Mails', icon: <OverviewIcon />, waiting: 0 },
    ];
    await renderScreen(
      <SideBarFrame
        groups={[{ label: 'Work', entries }]}
        name="Ada Lovelace"
        email="ada@example.com"
        roleName="Administrator"
        accountHref="/your-account"
        onShortcuts={() => undefined}
        onSignOut={async () => {
          signOuts += 1;
        }}
      >
        <h1>Page</h1>
      </SideBarFrame>,
      { path: '/teams' },
    );
  };
  const link = (name: string) =>
    [...document.querySelectorAll('.nav-link')].find(({ textContent }) => textContent?.startsWith(name));
  const openAccount = () => press(/^Ada Lovelace/);
  const focused = () => document.activeElement?.textContent;

  it('marks the current entry, and counts what waits but not what does not', async () => {
    await open();
    expect(link('Teams')?.getAttribute('aria-current')).to.equal('page');
    expect(link('Overview')?.hasAttribute('aria-current')).to.equal(false);
    expect(link('Teams')?.textContent).to.equal('Teams4 wait');
    expect(link('Mails')?.textContent).to.equal('Mails');
  });

  it('opens the menu of the account, which keys move in and Escape closes', async () => {
    await open();
    await openAccount();
    expect(focused()).to.equal('Your account');
    await user.keyboard('{ArrowDown}');
    expect(focused()).to.match(/^Shortcuts/);
    await user.keyboard('{Home}{ArrowUp}');
    expect(focused()).to.equal('Sign out');
    await user.keyboard('{Escape}');
    await expectNoText('Sign out');
    expect(focused()).to.match(/^ALAda Lovelace/);
  });

  it('leads to the account, and signs out', async () => {
    await open();
    await openAccount();
    await user.keyboard('{Enter}');
    expect(window.location.pathname).to.equal('/your-account');
    await openAccount();
    await user.keyboard('{End}{Enter}');
    await expectNoText('Sign out');
    expect(signOuts).to.equal(1);
  });

  it('changes the language at once', async () => {
    await open();
    await openAccount();
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
    await openAccount();
    await expectText('Abmelden');
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    await openAccount();
    await expectText('Sign out');
  });

  it('opens as a drawer, which Escape and choosing close', async () => {
    await open();
    await press('Menu');
    const drawer = () => document.querySelector('dialog.side-bar-drawer[open]');
    expect(drawer()?.textContent).to.include('Overview');
    pressEscape();
    await expectNoText('Close');
    expect(drawer()).to.equal(null);
    await press('Menu');
    await press('Overview');
    expect(window.location.pathname).to.equal('/');
    expect(drawer()).to.equal(null);
  });
});
