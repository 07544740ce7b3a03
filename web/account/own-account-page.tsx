import { TopBarFrame } from '../components/top-bar-frame.tsx';
import { Enrolment } from '../own-account/enrolment.tsx';
import { OwnAccount } from '../own-account/own-account.tsx';
import { useIsEnrolmentDue } from '../session/enrolment-due.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';

export const OwnAccountPage = ({ isChangingPassword }: { isChangingPassword: boolean }) => {
  const { client } = usePlatform();
  const { user } = useSignedIn();
  if (useIsEnrolmentDue()) return <Enrolment />;
  return (
    <TopBarFrame email={user.email} onSignOut={() => client.signOut()}>
      <OwnAccount isChangingPassword={isChangingPassword} />
    </TopBarFrame>
  );
};
