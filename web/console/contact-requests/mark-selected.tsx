import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { ForSeveral } from '../../components/forms/for-several.tsx';
import type { Selection } from '../../components/lists/selection.ts';
import { SelectionBar } from '../../components/lists/selection-bar.tsx';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import type { ContactRequest } from '../records/record-queries.ts';
import { CONTACT_CHANGE, editContactRequest } from './contact-queries.ts';
import { CONTACT } from './contact-words.ts';
import { nameOfRequest } from './request.ts';
import { DraftMark } from './request-rows.tsx';

type DoneSeveralProps = { requests: readonly ContactRequest[]; onDone: () => void; onClose: () => void };

const DoneSeveral = ({ requests, ...dialog }: DoneSeveralProps) => {
  const words = useWords(CONTACT);
  const { length } = requests;
  return (
    <ForSeveral
      {...dialog}
      isHarmless
      rows={requests}
      nameOf={nameOfRequest}
      title={words.doneQuestion(formatNumber(length), length)}
      submit={words.doneThem}
      submitting={words.markingThem}
      done={(text) => words.areDone(text, length)}
      act={({ id }) => editContactRequest(id, { isDone: true })}
      invalidates={CONTACT_CHANGE.invalidates}
    >
      <ul>
        {requests.map((request) => (
          <li key={request.id}>
            <bdi>{nameOfRequest(request)}</bdi> <DraftMark id={request.id} />
          </li>
        ))}
      </ul>
      <p>{words.doneText}</p>
    </ForSeveral>
  );
};

type MarkSelectedProps = { selection: Selection<ContactRequest>; children: ReactNode };

/** Marks the selected requests as done. Without a selection, it shows its children in place of the action. */
export const MarkSelected = ({ selection, children }: MarkSelectedProps) => {
  const words = useWords(CONTACT);
  const { selected, clear } = selection;
  // Kept from when the dialog was opened: the list may no longer have these requests while it says what failed.
  const [requests, setRequests] = useState<readonly ContactRequest[]>();
  return (
    <>
      {selected.length > 0 ? (
        <SelectionBar count={selected.length} clear={clear}>
          <Button look="quiet" onClick={() => setRequests(selected)}>
            {words.done}
          </Button>
        </SelectionBar>
      ) : (
        children
      )}
      {requests && <DoneSeveral requests={requests} onDone={clear} onClose={() => setRequests(undefined)} />}
    </>
  );
};
