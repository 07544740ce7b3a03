import { expect } from 'chai';
import { rememberReturnSite } from './return-site.ts';

describe('returnTo that the account pages ignore', () => {
  const { warn } = console;
  afterEach(() => Object.assign(console, { warn }));

  it('is named in the console of the browser, with the setting that lists its origin', () => {
    const warnings: unknown[] = [];
    console.warn = (warning) => warnings.push(warning);
    rememberReturnSite('');
    rememberReturnSite('returnTo=%2Forders');
    expect(warnings).to.deep.equal([]);
    rememberReturnSite('returnTo=https%3A%2F%2Fshop.example.com%2Fcart');
    expect(warnings).to.have.lengthOf(1);
    expect(warnings[0]).to.include('https://shop.example.com/cart').and.include('ACCOUNT_RETURN_ORIGINS');
  });
});
