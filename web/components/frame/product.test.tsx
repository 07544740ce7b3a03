import { screen } from '@testing-library/react/pure.js';
import { expect } from 'chai';
import { forgetPageSettings, setPageSettings } from '../../testing/page-settings.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { Product } from './product.tsx';

describe('logo and name of the product', () => {
  const renderProduct = async (settings: object) => {
    await setPageSettings(settings);
    await renderScreen(<Product />);
  };
  const findLogo = () => document.querySelector('.product img')?.getAttribute('src');
  const findDarkLogo = () => document.querySelector('.product source');
  forgetPageSettings();

  it('show a mark and the name without a logo', async () => {
    await renderProduct({ productName: 'Example Shop' });
    expect(document.querySelector('.product-name')?.textContent).to.equal('Example Shop');
    expect(document.querySelector('.product-mark')?.textContent).to.equal('E');
    expect(findLogo()).to.equal(undefined);
  });

  it('show one logo in both schemes', async () => {
    await renderProduct({ productName: 'Marketplace', logo: 'logo.svg' });
    expect(findLogo()).to.equal('/logo.svg');
    expect(findDarkLogo()).to.equal(null);
    screen.getByRole('img', { name: 'Marketplace' });
  });

  it('show the other logo in dark pages', async () => {
    await renderProduct({ logo: 'logo.svg', logoDark: 'logo-dark.png' });
    expect(findLogo()).to.equal('/logo.svg');
    expect(findDarkLogo()?.getAttribute('srcset')).to.equal('/logo-dark.png');
    expect(findDarkLogo()?.getAttribute('media')).to.equal('(prefers-color-scheme: dark)');
  });
});
