import { expectText } from '../testing/expectations.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { Address } from './address.tsx';

describe('address on a page', () => {
  it('has its host as people write it', async () => {
    await renderScreen(
      <p>
        <Address of="jonas@xn--mller-bro-q9ag.de" />
      </p>,
    );
    await expectText('jonas@müller-büro.de');
  });
});
