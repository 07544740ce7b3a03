import { expect } from 'chai';
import { forgetPageSettings, setPageSettings } from '../../testing/page-settings.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { ProviderLogo } from '../provider-logo.tsx';
import { BrandPanel } from './brand-panel.tsx';

describe('brand panel and logos of providers', () => {
  const panel = { en: 'Buy from makers.', de: 'Direkt vom Hersteller.', logo: null, logoDark: null };
  const findPanel = () => document.querySelector('.brand-panel');
  forgetPageSettings();

  it('show nothing without settings', async () => {
    await renderScreen(<BrandPanel />);
    expect(findPanel()).to.equal(null);
    await renderScreen(<ProviderLogo provider="company" />);
    expect(document.querySelector('.provider-logo')).to.equal(null);
  });

  it('show the name and the sentence in the language of the page', async () => {
    await setPageSettings({ productName: 'Harbour', brandPanel: panel });
    await renderScreen(<BrandPanel />);
    expect(findPanel()?.textContent).to.equal('HarbourBuy from makers.');
  });

  it('show the logo that the gateway chose for each scheme in place of the name', async () => {
    const logos = { logo: 'logo.png', logoDark: 'logo-dark.svg' };
    await setPageSettings({ productName: 'Harbour', brandPanel: { ...panel, ...logos, en: null } });
    await renderScreen(<BrandPanel />);
    const image = findPanel()?.querySelector('img');
    expect([image?.getAttribute('src'), image?.alt]).to.deep.equal(['/logo.png', 'Harbour']);
    expect(findPanel()?.querySelector('source')?.getAttribute('srcset')).to.equal('/logo-dark.svg');
    expect(findPanel()?.textContent).to.equal('');
  });

  it('show the logo of a provider, which the name beside it describes', async () => {
    await setPageSettings({ providerLogos: { company: 'provider-company.svg' } });
    await renderScreen(<ProviderLogo provider="company" />);
    const image = document.querySelector<HTMLImageElement>('.provider-logo');
    expect([image?.getAttribute('src'), image?.alt]).to.deep.equal(['/provider-company.svg', '']);
  });
});
