import { useShownAddress } from '../components/address.tsx';
import { Button } from '../components/button.tsx';
import { icon } from '../components/form-icons.tsx';
import type { Frame } from '../components/frame/sign-in-card.tsx';
import { useScreenFocus } from '../page/navigation.ts';
import { getSettings } from '../page/settings.ts';
import { COMMON } from '../words/common.ts';
import { useWords } from '../words/words.ts';
import { SUPPORT } from './support-words.ts';

const LockIcon = icon(
  'M7 10V7a5 5 0 0 1 10 0v3M5 10h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M12 16h.01',
);

type BlockedProps = {
  frame: Frame;
  /** The address of the account; empty if it is not known, such as after a passkey. */
  email: string;
  onOther: () => void;
};

/** Takes the place of the form for a blocked account, because only the support can help. */
export const Blocked = ({ frame, email, onOther }: BlockedProps) => {
  const words = { ...useWords(COMMON), ...useWords(SUPPORT) };
  const { supportEmail } = getSettings();
  const shown = useShownAddress(email);
  useScreenFocus(words.blocked);
  return frame(
    words.blocked,
    <>
      <p className="lead" role="alert">
        {email ? words.blockedText(shown) : words.blockedTextNobody}
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
    </>,
    <LockIcon />,
  );
};
