import { expect } from 'chai';
import { catalogues } from '../words/catalogues.ts';
import { chooseLanguage, getLanguage } from '../words/language.ts';
import { takeLinkParameters } from './link-parameters.ts';

describe('parameters of a link to the account pages', () => {
  const open = (place: string) => history.replaceState({ kept: true }, '', place);
  const readPlace = () => window.location.pathname + window.location.search + window.location.hash;
  afterEach('return to the start', async () => {
    open('/?language=en');
    await takeLinkParameters();
    localStorage.clear();
  });

  it('leave an address without them as it is written', async () => {
    const place = '/account/customer/sign-in?returnTo=/orders?a=1%202#x';
    open(place);
    await takeLinkParameters();
    expect(readPlace()).to.equal(place);
    expect(history.state).to.deep.equal({ kept: true });
  });

  it('fill in the address, which is then in no address', async () => {
    // As `signInAddress` writes it, and by hand.
    for (const hint of ['ada%2Bshop%40example.com', 'ada+shop@example.com']) {
      open(`/account/customer/sign-in?returnTo=%2Forders&loginHint=${hint}&state=x`);
      await takeLinkParameters();
      expect(readPlace()).to.equal('/account/customer/sign-in?returnTo=%2Forders&state=x');
      expect(history.state).to.deep.equal({ kept: true, email: 'ada+shop@example.com' });
    }
  });

  it('choose the language, and ignore an unknown one', async () => {
    open('/account/customer/sign-in?language=fr');
    await takeLinkParameters();
    expect(getLanguage()).to.equal('en');
    open('/account/customer/sign-in?language=de');
    await takeLinkParameters();
    expect(getLanguage()).to.equal('de');
    expect(readPlace()).to.equal('/account/customer/sign-in');
  });

  it('store no language over the one that the person has chosen', async () => {
    await chooseLanguage('en');
    open('/account/customer/sign-in?language=de');
    await takeLinkParameters();
    expect([getLanguage(), localStorage.getItem('platform.language')]).to.deep.equal(['de', 'en']);
  });

  it('leave the page in its language if the other one cannot be loaded', async () => {
    const { de } = catalogues;
    Object.defineProperty(catalogues, 'de', {
      configurable: true,
      get: () => {
        throw new TypeError('Failed to fetch dynamically imported module');
      },
    });
    try {
      open('/account/customer/sign-in?language=de');
      await takeLinkParameters();
      expect(getLanguage()).to.equal('en');
    } finally {
      Object.defineProperty(catalogues, 'de', { configurable: true, writable: true, value: de });
    }
  });

  it('open the sign-up, and no other page', async () => {
    for (const [page, path] of [
      ['sign-up', '/account/employee/sign-up'],
      ['verify', '/account/employee/sign-in'],
      ['//evil.example', '/account/employee/sign-in'],
    ]) {
      open(`/account/employee/sign-in?page=${page}&returnTo=%2F`);
      await takeLinkParameters();
      expect(readPlace()).to.equal(`${path}?returnTo=%2F`);
    }
  });
});
