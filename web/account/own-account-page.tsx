import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import { TopBarFrame } from '../components/top-bar-frame.tsx';
import { Enrolment } from '../own-account/enrolment.tsx';
import { OwnAccount } from '../own-account/own-account.tsx';
import { useIsEnrolmentDue } from '../session/enrolment.ts';
import { usePlatform } from '../session/platform.ts';
import { createQueryClient } from '../session/queries.ts';
import { useSignedIn } from '../session/session-gate.tsx';

/** The own account. Another user gets another instance, without the data of the one before. */
export const OwnAccountPage = ({ isChangingPassword }: { isChangingPassword: boolean }) => {
  const { client } = usePlatform();
  const { user } = useSignedIn();
  const [queries] = useState(() => createQueryClient(client));
  return (
    <QueryClientProvider client={queries}>
      {useIsEnrolmentDue() ? (
        <Enrolment />
      ) : (
        <TopBarFrame email={user.email} onSignOut={() => client.signOut()}>
          <OwnAccount isChangingPassword={isChangingPassword} />
        </TopBarFrame>
      )}
    </QueryClientProvider>
  );
};
