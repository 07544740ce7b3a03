import { expectNoText, expectText } from '../testing/expectations.ts';
import { forgetPageSettings, setPageSettings } from '../testing/page-settings.ts';
import { renderScreen } from '../testing/render-screen.tsx';
import { OwnAccountPage } from './own-account-page.tsx';
import { PagesWithoutKind } from './pages-without-kind.tsx';

describe('names of the kinds of accounts', () => {
  const kindNames = {
    customer: { en: 'Client account', de: 'Kundenkonto' },
    employee: { en: 'Freelancer account', de: 'Freelancerkonto' },
  };
  beforeEach('name them', () => setPageSettings({ kindNames }));
  forgetPageSettings();

  it('are those of the settings where one kind is chosen', async () => {
    await renderScreen(<PagesWithoutKind />);
    await expectText('Client account');
    await expectText('Freelancer account');
    await expectNoText('Employee');
  });

  it('are those of the settings in the own account', async () => {
    await renderScreen(<OwnAccountPage isChangingPassword={false} />, { kind: 'employee', isSignedIn: true });
    await expectText('Freelancer account');
    await expectNoText('Employee');
  });
});
