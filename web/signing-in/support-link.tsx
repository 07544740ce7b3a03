import { getSettings } from '../page/settings.ts';
import { useWords } from '../words/words.ts';
import { SUPPORT } from './support-words.ts';

/** A line such as "No codes left? Contact support", if the settings have an address of the support. */
export const SupportLink = ({ question }: { question: string }) => {
  const words = useWords(SUPPORT);
  const { supportEmail } = getSettings();
  if (!supportEmail) return null;
  return (
    <div className="muted">
      {question} <a href={`mailto:${supportEmail}`}>{words.contactSupport}</a>
    </div>
  );
};
