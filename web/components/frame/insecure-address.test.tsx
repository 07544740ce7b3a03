import { expectNoText, expectText } from '../../testing/expectations.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { SignInCard } from './sign-in-card.tsx';

describe('insecure address', () => {
  const setSecure = (isSecureContext: boolean) => Object.assign(window, { isSecureContext });
  afterEach('restore', () => setSecure(true));
  const renderCard = () => renderScreen(<SignInCard title="Sign in">form</SignInCard>);

  it('is named on the sign-in pages, because the browser keeps no session there', async () => {
    setSecure(false);
    await renderCard();
    await expectText('This address is not secure');
  });

  it('is not named at https:// and localhost', async () => {
    setSecure(true);
    await renderCard();
    await expectText('form');
    await expectNoText('This address is not secure');
  });
});
