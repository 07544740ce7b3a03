import { expect } from 'chai';
import { expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { PageMissing } from './page-missing.tsx';

describe('missing page', () => {
  it('leads to the start page', async () => {
    await renderScreen(<PageMissing />, { base: '/console', path: '/nothing' });
    await expectText('Go to the start page');
    expect(document.querySelector('main a')?.getAttribute('href')).to.match(/^\/console\/?$/);
  });
});
