import { useRouter } from 'wouter';
import { BackIcon } from '../components/form-icons.tsx';
import { type Frame, SignInCard, type SignInCardProps } from '../components/frame/sign-in-card.tsx';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { readReturnSite } from './return-site.ts';
import { ACCOUNT } from './words.ts';

const BackToSite = () => {
  const words = useWords(ACCOUNT);
  const site = readReturnSite();
  if (!site) return null;
  return (
    <a href={site.href}>
      <BackIcon />
      {words.backTo(site.host)}
    </a>
  );
};

type AccountCardProps = Omit<SignInCardProps, 'foot' | 'badge'>;

/**
 * A card with the kind of account, if it is not the usual one, and a link back to the site that the person comes
 * from.
 */
export const AccountCard = (props: AccountCardProps) => {
  const employee = useKindName('employee');
  const isEmployee = useRouter().base.endsWith('/employee');
  return <SignInCard {...props} badge={isEmployee && employee} foot={<BackToSite />} />;
};

export const card: Frame = (title, content, warning) => (
  <AccountCard title={title} warning={warning}>
    {content}
  </AccountCard>
);
