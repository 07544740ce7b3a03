import './sheets.ts';
import { useEffect } from 'react';
import { Address } from '../components/address.tsx';
import { Badge } from '../components/badge.tsx';
import { Card } from '../components/card.tsx';
import { Page } from '../components/frame/page.tsx';
import { PersonMark } from '../components/person-mark.tsx';
import { QueryErrorRow } from '../components/states.tsx';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { AdministratorCard } from './administrator-card.tsx';
import { DataCard } from './data-card.tsx';
import { DevicesCard } from './devices-card.tsx';
import { type EmailDialog, useEmailDialog } from './email-dialog.tsx';
import { EmailRow, VerifyBanner } from './email-row.tsx';
import { IdentityRows } from './identity-rows.tsx';
import { PasskeyRows } from './passkey-rows.tsx';
import { PasswordRow } from './password-row.tsx';
import { ProfileCard } from './profile-card.tsx';
import { useIdentities, useOwnName, useProviderNames, useSecondFactor, useSessions } from './queries.ts';
import { RecoveryCodesProvider } from './recovery-codes.tsx';
import { ActionGroup } from './rows.tsx';
import { SecondStepRows } from './second-step-rows.tsx';
import { useSayRemoved, useSetPassword } from './set-password.tsx';
import { OWN_ACCOUNT } from './words.ts';

/** Whether the person came to change the password. */
type OwnAccountProps = { isChangingPassword: boolean };

/** The name and address of the person, above the cards. */
const Head = () => {
  const { kind } = usePlatform();
  const kindName = useKindName(kind);
  const { user } = useSignedIn();
  const name = useOwnName();
  return (
    <div className="own-head">
      <PersonMark name={name ?? user.email} isLarge />
      <div className="own-head-text">
        <p className="own-name">{name ?? <Address of={user.email} />}</p>
        {name && (
          <p className="muted">
            <Address of={user.email} />
          </p>
        )}
        <Badge>{kindName}</Badge>
      </div>
    </div>
  );
};

type SigningInCardProps = OwnAccountProps & { email: EmailDialog; onSetPassword: () => void };

const SigningInCard = ({ isChangingPassword, email, onSetPassword }: SigningInCardProps) => {
  const words = useWords(OWN_ACCOUNT);
  const query = useSecondFactor();
  return (
    <Card id="signing-in" title={words.signingIn}>
      <QueryErrorRow query={query} />
      <EmailRow dialog={email} />
      <PasskeyRows />
      <ActionGroup>
        <PasswordRow isChanging={isChangingPassword} onSet={onSetPassword} />
      </ActionGroup>
      <SecondStepRows />
      <IdentityRows />
    </Card>
  );
};

/**
 * Mails lead to a card by its id. The browser looks for it before there is a page, and the cards grow with their
 * data.
 */
const useCardOfLink = (): void => {
  const isLoaded = [useSecondFactor(), useIdentities(), useProviderNames(), useSessions()].every(
    ({ isPending }) => !isPending,
  );
  useEffect(() => {
    if (isLoaded) document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, [isLoaded]);
};

/** The account page of the signed-in person, of any kind. */
export const OwnAccount = ({ isChangingPassword = false }: Partial<OwnAccountProps>) => {
  const words = useWords(OWN_ACCOUNT);
  const { kind } = usePlatform();
  const email = useEmailDialog();
  const setPassword = useSetPassword();
  useSayRemoved(setPassword.open);
  const hasProfile = kind !== 'administrator';
  useCardOfLink();
  return (
    <RecoveryCodesProvider>
      <Page title={words.yourAccount} line={hasProfile && <Head />}>
        <div className="own-account">
          <VerifyBanner onVerify={email.verify} />
          {hasProfile ? <ProfileCard /> : <AdministratorCard />}
          <SigningInCard
            isChangingPassword={isChangingPassword}
            email={email}
            onSetPassword={setPassword.open}
          />
          <DevicesCard />
          <DataCard />
        </div>
        {setPassword.dialog}
      </Page>
    </RecoveryCodesProvider>
  );
};
