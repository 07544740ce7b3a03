import type { AdminUserDetail } from '@platform/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../components/action-dialog.tsx';
import { TextAreaField } from '../../components/fields.tsx';
import type { ReadField } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { saveDraft } from '../../session/drafts.ts';
import { formatNumber } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { nameOfUser } from './user.ts';
import { USER_ACTIONS } from './user-action-words.ts';
import { USER_CHANGE } from './user-queries.ts';

export type UserDialogProps = { user: AdminUserDetail; isOpen: boolean; onClose: () => void };

const path = ({ id }: AdminUserDetail) => ({ params: { path: { id } } });

const unblock = (user: AdminUserDetail) => backOffice.PATCH('/users/{id}/unblock', path(user));

/** The reason becomes a note when the block has succeeded. A note that fails stays open. */
export const BlockDialog = ({ user, isOpen, onClose, devices }: UserDialogProps & { devices: number }) => {
  const words = useWords(USER_ACTIONS);
  const say = useSayStatus();
  const queries = useQueryClient();
  const [isBlocked, setBlocked] = useState(false);
  const name = nameOfUser(user);
  const draft = `block.${user.id}`;
  const where = devices > 0 ? words.onDevices(formatNumber(devices), devices) : '';

  const block = useMutation({
    mutationFn: async (read: ReadField) => {
      const text = read('reason').trim();
      if (!isBlocked) await backOffice.PATCH('/users/{id}/block', path(user));
      if (text === '') return;
      setBlocked(true);
      await backOffice.POST('/users/{id}/notes', { ...path(user), body: { text } });
    },
    meta: USER_CHANGE,
    onSuccess: () => {
      saveDraft(draft, '');
      setBlocked(false);
      say(words.blocked(name), { mutationFn: () => unblock(user), meta: USER_CHANGE });
    },
  });
  if (user.roles.includes('ADMIN'))
    return (
      <ActionDialog title={words.blockQuestion(name)} isOpen={isOpen} onClose={onClose}>
        <p>{words.blockAdmin(name)}</p>
      </ActionDialog>
    );
  return (
    <ActionDialog
      title={words.blockQuestion(name)}
      isOpen={isOpen}
      onClose={() => {
        onClose();
        if (isBlocked) void queries.invalidateQueries();
      }}
      submit={isBlocked ? words.saveNote : words.block}
      submitting={isBlocked ? words.savingNote : words.blocking}
      look={isBlocked ? 'main' : 'danger'}
      mutation={block}
    >
      {isBlocked ? (
        <Notice look="warn">{words.noteFailed(name)}</Notice>
      ) : (
        <p>{words.blockText(name, where)}</p>
      )}
      <TextAreaField
        name="reason"
        label={
          <>
            {words.reason} <span className="muted small">({words.reasonHint})</span>
          </>
        }
        maxLength={2000}
        isOptional
        draft={draft}
      />
    </ActionDialog>
  );
};

export const UnblockDialog = ({ user, isOpen, onClose }: UserDialogProps) => {
  const words = useWords(USER_ACTIONS);
  const say = useSayStatus();
  const name = nameOfUser(user);
  const mutation = useMutation({
    mutationFn: () => unblock(user),
    meta: USER_CHANGE,
    onSuccess: () => say(words.unblocked(name)),
  });
  return (
    <ActionDialog
      title={words.unblockQuestion(name)}
      isOpen={isOpen}
      onClose={onClose}
      look="main"
      submit={words.unblock}
      submitting={words.unblocking}
      mutation={mutation}
    >
      <p>{words.unblockText(name)}</p>
    </ActionDialog>
  );
};
