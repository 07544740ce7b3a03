import { useRouter } from 'wouter';
import { getSettings } from '../page/settings.ts';
import { usePlatform } from '../session/platform.ts';
import { useKindName } from '../words/kind-names.ts';
import { useWords } from '../words/words.ts';
import { EntranceLink } from './entrance.tsx';
import { ACCOUNT } from './words.ts';

/** `query` keeps `returnTo` for the other entrance, where this page has another query. */
type OtherEntrancesProps = { email: string; query?: string };

/** The sign-in of the other kind of account: an address belongs to one kind, and these pages do not know which. */
export const OtherKind = ({ email, query = '' }: OtherEntrancesProps) => {
  const words = useWords(ACCOUNT);
  const { base } = useRouter();
  const other = usePlatform().kind === 'customer' ? 'employee' : 'customer';
  return (
    <>
      {useKindName(other)}?{' '}
      <EntranceLink to={`~${base.replace(/\w+$/, other)}/sign-in${query}`} email={email}>
        {words.signInOther}
      </EntranceLink>
    </>
  );
};

/** Links to sign up and to the sign-in of the other kind of account. */
export const OtherEntrances = (props: OtherEntrancesProps) => {
  const words = useWords(ACCOUNT);
  const { email, query = '' } = props;
  return (
    <div className="stack-small">
      <p>
        {words.newHere(getSettings().productName)}{' '}
        <EntranceLink to={`/sign-up${query}`} email={email}>
          {words.createOne}
        </EntranceLink>
      </p>
      <p>
        <OtherKind {...props} />
      </p>
    </div>
  );
};
