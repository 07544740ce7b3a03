import { expect } from 'chai';
import { expectText } from '../../testing/expectations.ts';
import { forgetPageSettings, setPageSettings } from '../../testing/page-settings.ts';
import { press } from '../../testing/screen.ts';
import { renderConsole } from '../testing/render-console.tsx';
import { OnlyAdministrators, Workspace } from './workspace.tsx';

const USER = { id: '018f4f3a-0000-7000-8000-000000000001', createdAt: '2026-11-01T00:00:00Z' } as never;

const [OPERATOR, ARBITER] = ['OPERATOR', 'ARBITER'] as const;

describe('home of an operator or arbiter', () => {
  forgetPageSettings();

  it('says what the role is for, and leads to its desk and to the support', async () => {
    await setPageSettings({
      supportEmail: 'help@example.com',
      desks: { OPERATOR: { url: 'https://desk.example.com/work', name: null }, ARBITER: null },
    });
    await renderConsole(<Workspace user={USER} role={OPERATOR} />);
    await expectText('What an operator does');
    const link = document.querySelector<HTMLAnchorElement>('a.button-main');
    expect(link?.href).to.equal('https://desk.example.com/work');
    expect(link?.textContent).to.equal('Open desk.example.com');
    expect(document.querySelector('a[href^=mailto]')?.textContent).to.equal('help@example.com');
  });

  it('names no desk where none is set', async () => {
    await renderConsole(<Workspace user={USER} role={ARBITER} />);
    await expectText('What an arbiter does');
    expect(document.querySelector('a.button-main')).to.equal(null);
  });

  it('says who may open a link of administrators', async () => {
    await renderConsole(<OnlyAdministrators />, '/users');
    await expectText('Ask an administrator to look at it, or to give you the role.');
    await press('Back to your home');
    expect(window.location.pathname).to.equal('/console/');
  });
});
