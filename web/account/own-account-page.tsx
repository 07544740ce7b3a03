import { TopBarFrame } from '../components/frame/top-bar-frame.tsx';
import { Enrolment } from '../own-account/enrolment.tsx';
import { OwnAccount } from '../own-account/own-account.tsx';
import { useOwnName } from '../own-account/queries.ts';
import { usePlatform } from '../session/platform.ts';
import { useSignedIn } from '../session/session-gate.tsx';
import { useIsEnrolmentDue } from '../session/use-enrolment-due.ts';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { readReturnSite } from './return-site.ts';
import { ACCOUNT } from './words.ts';

export const OwnAccountPage = ({ isChangingPassword }: { isChangingPassword: boolean }) => {
  const words = useWords(ACCOUNT);
  const site = readReturnSite();
  const { kind, client } = usePlatform();
  const kindName = useKindName(kind);
  const { user } = useSignedIn();
  const name = useOwnName();
  if (useIsEnrolmentDue()) return <Enrolment />;
  return (
    <TopBarFrame
      name={name}
      email={user.email}
      kind={kindName}
      back={site && { href: site.href, label: words.backTo(site.host) }}
      onSignOut={() => client.signOut()}
    >
      <OwnAccount isChangingPassword={isChangingPassword} />
    </TopBarFrame>
  );
};
