import { Avatar } from '../../components/avatar.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import type { ResponseOf } from '../read.ts';
import { nameOfReference } from '../records/people.ts';
import { CONTACT } from './contact-words.ts';

type Entry = ResponseOf<'/administrator/contact-requests/{id}'>['notes'][number];
type EntriesProps = {
  title: string;
  hint?: string;
  entries: readonly Entry[];
  ownId: string | undefined;
  /** Notes are on amber paper, so that nobody takes one for a reply. */
  isPaper?: boolean;
};

/** Notes or replies, the oldest first, as they were written. */
export const RequestEntries = ({ title, hint, entries, ownId, isPaper = false }: EntriesProps) => {
  const words = useWords(CONTACT);
  if (entries.length === 0) return null;
  return (
    <section className={isPaper ? 'card request-paper' : 'card'} aria-label={title}>
      <div className="card-head">
        <h3>{title}</h3>
        {hint && <span className="small">{hint}</span>}
      </div>
      {entries.toReversed().map(({ id, text, author, createdAt }) => {
        const name = nameOfReference(author);
        return (
          <div key={id} className="card-row">
            <div className="request-line small">
              <span className="row">
                <Avatar name={name} size={20} />
                <bdi className="strong">{author.id === ownId ? words.you : name}</bdi>
              </span>
              <Time at={createdAt} />
            </div>
            <bdi className="text-lines">{text}</bdi>
          </div>
        );
      })}
    </section>
  );
};
