import { Button } from '../components/button.tsx';
import { getSettings } from '../page/settings.ts';
import { useWords } from '../words/words.ts';
import { SUPPORT } from './support-words.ts';

type BlockedProps = { email: string; onOther: () => void };

/** Takes the place of the form for a blocked account, because only the support can help. */
export const Blocked = ({ email, onOther }: BlockedProps) => {
  const words = useWords(SUPPORT);
  const { supportEmail } = getSettings();
  return (
    <>
      <p className="lead" role="alert">
        {email ? words.blockedText(email) : words.blockedTextNobody}
      </p>
      <div className="stack-small">
        {supportEmail && (
          <a className="button button-main button-wide" href={`mailto:${supportEmail}`}>
            {words.contactSupport}
          </a>
        )}
        <Button isWide onClick={onOther}>
          {words.useAnother}
        </Button>
      </div>
    </>
  );
};
