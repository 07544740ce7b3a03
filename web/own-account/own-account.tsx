import { Card } from '../components/card.tsx';
import { Page } from '../components/page.tsx';
import { QueryErrorRow } from '../components/states.tsx';
import { usePlatform } from '../session/platform.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AppRow } from './app-row.tsx';
import { DataCard } from './data-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { EmailRow } from './email-row.tsx';
import { IdentityRows } from './identity-rows.tsx';
import { PasskeysRow } from './passkeys-row.tsx';
import { PasswordRow } from './password-row.tsx';
import { ProfileCard } from './profile-card.tsx';
import { useSecondFactor } from './queries.ts';
import { SecondStepRow } from './second-step-row.tsx';

/** Whether the person came to change the password. */
type OwnAccountProps = { isChangingPassword: boolean };

const SigningInCard = ({ isChangingPassword }: OwnAccountProps) => {
  const words = useWords(OWN_ACCOUNT);
  const query = useSecondFactor();
  return (
    <Card title={words.signingIn}>
      <QueryErrorRow query={query} />
      <EmailRow />
      <PasswordRow isChanging={isChangingPassword} />
      <AppRow />
      <PasskeysRow />
      <SecondStepRow />
      <IdentityRows />
    </Card>
  );
};

/** The account of who is signed in, of any kind. */
export const OwnAccount = ({ isChangingPassword = false }: Partial<OwnAccountProps>) => {
  const words = useWords(OWN_ACCOUNT);
  const { kind } = usePlatform();
  return (
    <Page title={words.yourAccount}>
      <div className="stack own-account">
        {kind !== 'administrator' && <ProfileCard />}
        <SigningInCard isChangingPassword={isChangingPassword} />
        <DevicesCard />
        <DataCard />
      </div>
    </Page>
  );
};
