import './merge.css';
import { isPlatformError, type Project } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useParams } from 'wouter';
import { Button } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/forms/fields.tsx';
import { Form } from '../../components/forms/form.tsx';
import { UnsavedChanges } from '../../components/forms/unsaved-changes.tsx';
import { Page } from '../../components/frame/page.tsx';
import { Notice } from '../../components/notice.tsx';
import { Skeleton } from '../../components/states.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { COMMON } from '../../words/common.ts';
import { formatDateAndTime, formatList } from '../../words/formats.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { type Choice, ConflictField, ConflictNotice, SaveSummary, TakenNote } from './merged-field.tsx';
import { EDITABLE, type Field, findChanges, toUpdate } from './project.ts';
import { ProjectUnavailable } from './project-page.tsx';
import { PROJECT_CHANGE, projectDetail, readEdits, readProject } from './project-queries.ts';
import { PROJECTS } from './project-words.ts';
import { type Base, toTexts, useDraft } from './use-draft.ts';
import { useMerge } from './use-merge.ts';

type Fields = Record<Field, string>;

const focusFirst = (selector: string): void => document.querySelector<HTMLElement>(selector)?.focus();
const goToConflict = (): void => focusFirst('fieldset[id^=conflict] input:checked');

const EditForm = ({ loaded }: { loaded: Base }) => {
  const words = useWords(PROJECTS);
  const common = useWords(COMMON);
  const names = useWords(NAMES);
  const say = useSayStatus();
  const [, navigate] = useLocation();
  const { base, texts, set, forget, keptAt, discard } = useDraft(loaded);
  const { id } = base.project;
  const before = toTexts(base.project);
  const { merged, merge, choose: chooseText } = useMerge();
  const [isSaved, setSaved] = useState(false);
  const changed = findChanges(before, texts);
  const toText = (field: Field) => (value: string) =>
    field === 'category' ? nameOf(names.category, value) : value;
  const list = (fields: readonly Field[]): string => formatList(fields.map((field) => words[field]));

  /** Leaves the page without asking, because nothing is unsaved any more. */
  const leave = () => {
    flushSync(() => setSaved(true));
    forget();
    navigate(`/projects/${id}`);
  };
  const readTheirs = async () => {
    const [theirs, edits] = await Promise.all([
      readProject(id),
      readEdits(id, base.project.updatedAt).catch(() => []),
    ]);
    return { theirs, edits };
  };
  const save = useMutation({
    mutationFn: async () => {
      const body = toUpdate(before, texts) as Partial<Pick<Project, Field>>;
      const call = { params: { path: { id } }, body, ifMatch: base.version };
      try {
        await backOffice.PATCH('/projects/{id}', call);
        return undefined;
      } catch (error) {
        if (!isPlatformError(error, 'CHANGED_MEANWHILE')) throw error;
        return await readTheirs();
      }
    },
    meta: { ...PROJECT_CHANGE, leaves: true, whether: words.whetherSaved },
    onSuccess: (conflict) => {
      if (conflict === undefined) {
        leave();
        say(words.saved);
      } else {
        const { theirs, edits } = conflict;
        flushSync(() => set(merge(before, texts, toTexts(theirs.project), edits), theirs));
        goToConflict();
      }
    },
  });
  const toField = (field: Field) => ({
    name: field,
    label: words[field],
    value: texts[field],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ ...texts, [field]: currentTarget.value }),
  });
  const toConflictId = (field: Field) => `conflict-${field}`;
  const choose = (field: Field, choice: Choice): void => {
    flushSync(() => set({ ...texts, [field]: chooseText(field, choice) ?? texts[field] }));
    // The field has replaced the choice between both versions, so it gets the focus.
    if (choice === 'third') focusFirst(`[name=${field}]`);
  };
  /** Shows the field, or the choice between both versions of it. */
  const show = (field: Field, control: ReactNode) => {
    const conflict = merged?.conflicts[field];
    const taken = merged?.taken[field];
    return (
      <>
        {conflict && conflict.choice !== 'third' ? (
          <ConflictField
            id={toConflictId(field)}
            label={words[field]}
            conflict={conflict}
            toText={toText(field)}
            onChoose={(choice) => choose(field, choice)}
          />
        ) : (
          control
        )}
        {taken && !changed.includes(field) && (
          <TakenNote author={taken.author} was={toText(field)(taken.was)} />
        )}
      </>
    );
  };
  const taken = EDITABLE.filter((field) => merged?.taken[field]);
  const both = EDITABLE.filter((field) => merged?.conflicts[field]);

  return (
    <div className="merge-form">
      <Form
        mutation={save}
        submit={common.save}
        submitting={common.saving}
        buttons={
          <>
            <Button onClick={() => navigate(`/projects/${id}`)}>{common.cancel}</Button>
            <SaveSummary
              saved={list(changed)}
              kept={list([...taken, ...both].filter((field) => !changed.includes(field)))}
            />
          </>
        }
        advice={(error) => isPlatformError(error, 'PROJECT_NOT_FOUND') && words.gone}
      >
        {keptAt !== undefined && !merged && (
          <Notice
            title={words.draftHere(formatDateAndTime(new Date(keptAt)))}
            action={<Button onClick={discard}>{words.discardDraft}</Button>}
          />
        )}
        {merged && (
          <ConflictNotice author={merged.author} taken={list(taken)} both={list(both)} onGo={goToConflict} />
        )}
        {show(
          'title',
          <TextField<Fields>
            {...toField('title')}
            minLength={3}
            maxLength={255}
            pattern=".*\S.*\S.*\S.*|.{3,}"
            invalid={words.titleRule}
          />,
        )}
        {show('category', <SelectField<Fields> {...toField('category')} options={names.category} />)}
        {show(
          'description',
          <TextAreaField<Fields>
            {...toField('description')}
            rows={8}
            minLength={3}
            invalid={words.descriptionRule}
          />,
        )}
      </Form>
      <UnsavedChanges hasChanges={!isSaved && changed.length > 0} text={words.draftStays} />
    </div>
  );
};

/** Title, category and description. The status belongs to the services that run projects. */
export const EditProject = () => {
  const words = useWords(PROJECTS);
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(projectDetail(id));
  const { data } = query;
  if (!data) return <ProjectUnavailable query={query} shape={<Skeleton />} />;
  return (
    <Page
      title={words.editProject}
      breadcrumbs={[
        [words.projects, '/projects'],
        [data.project.title, `/projects/${id}`],
      ]}
    >
      <EditForm loaded={data} key={id} />
    </Page>
  );
};
