import { PencilIcon } from '../../components/icons.tsx';
import { useHasDraft } from '../../session/drafts.ts';
import { useWords } from '../../words/words.ts';
import { CONTACT } from './contact-words.ts';
import { draftOf } from './request.ts';

/** A pencil at a request whose reply or note was typed in this tab, and not sent. */
export const DraftMark = ({ id }: { id: string }) => {
  const { draft } = useWords(CONTACT);
  const hasReply = useHasDraft(draftOf('reply', id));
  const hasNote = useHasDraft(draftOf('note', id));
  if (!(hasReply || hasNote)) return null;
  return (
    <span className="row" title={draft}>
      <PencilIcon />
      <span className="visually-hidden">{draft}</span>
    </span>
  );
};
