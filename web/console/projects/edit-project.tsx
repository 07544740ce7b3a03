import { isPlatformError, type Project } from '@platform/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { useLocation, useParams } from 'wouter';
import { Button } from '../../components/button.tsx';
import { SelectField, TextAreaField, TextField } from '../../components/fields.tsx';
import { Form } from '../../components/form.tsx';
import { Notice } from '../../components/notice.tsx';
import { Page } from '../../components/page.tsx';
import { useSayStatus } from '../../components/status.tsx';
import { UnsavedChanges } from '../../components/unsaved-changes.tsx';
import { readDraft, saveDraft } from '../../session/drafts.ts';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { backOffice } from '../back-office.ts';
import { NAMES, nameOf } from '../names.ts';
import { EDITABLE, type Field, findChanges, type Texts, toUpdate } from './project.ts';
import { ProjectUnavailable } from './project-page.tsx';
import { CATEGORIES, PROJECT_CHANGE, projectDetail, readProject } from './project-queries.ts';
import { PROJECTS } from './project-words.ts';

type Loaded = { project: Project; version: string | undefined };

const toTexts = ({ title, description, category }: Project): Texts => ({ title, description, category });

const useFieldWords = () => {
  const words = useWords(PROJECTS);
  const { category } = useWords(NAMES);
  return (field: Field, value: string) => ({
    label: words[field],
    value: field === 'category' ? nameOf(category, value) : value,
  });
};

/** What somebody else has changed since the form was opened, and the choice between both versions. */
const Conflict = ({
  mine,
  base,
  theirs,
  onTake,
  onKeep,
}: {
  mine: Texts;
  base: Texts;
  theirs: Texts;
  onTake: () => void;
  onKeep: () => void;
}) => {
  const words = useWords(PROJECTS);
  const toWords = useFieldWords();
  const changed = findChanges(base, theirs);
  const isBelow = findChanges(theirs, mine).length > 0;
  return (
    <div role="alert">
      <Notice look="warn">
        <strong>{words.conflict}</strong>{' '}
        {changed.map((field) => {
          const { label, value } = toWords(field, theirs[field]);
          return <span key={field}>{words.theirs(label, value)} </span>;
        })}
        {isBelow && words.yoursIsBelow}{' '}
        <Button look="link" onClick={onTake}>
          {words.takeTheirs}
        </Button>
        {' · '}
        <Button look="link" onClick={onKeep}>
          {words.keepMine}
        </Button>
      </Notice>
    </div>
  );
};

/** Before it is saved: the old and the new value of each changed field. */
const Changes = ({ before, after }: { before: Texts; after: Texts }) => {
  const words = useWords(PROJECTS);
  const toWords = useFieldWords();
  const fields = findChanges(before, after);
  if (fields.length === 0) return <p className="muted">{words.nothingChanged}</p>;
  return (
    <section className="stack-small before-after" aria-label={words.willChange}>
      <h2>{words.willChange}</h2>
      {fields.map((field) => {
        const [old, next] = [toWords(field, before[field]), toWords(field, after[field])];
        return (
          <div key={field}>
            <span className="muted">{old.label}: </span>
            <del>{old.value}</del> → <ins>{next.value}</ins>
          </div>
        );
      })}
    </section>
  );
};

/** The texts are kept in the tab until they are sent, so that a reload loses none. */
const useTexts = (id: string, base: Texts) => {
  const draftOf = (field: Field) => `project.${id}.${field}`;
  const readTexts = (): Texts =>
    Object.fromEntries(EDITABLE.map((field) => [field, readDraft(draftOf(field)) || base[field]])) as Texts;
  const [texts, setTexts] = useState(readTexts);
  const set = (next: Texts) => {
    setTexts(next);
    for (const field of EDITABLE) saveDraft(draftOf(field), next[field] === base[field] ? '' : next[field]);
  };
  const forget = () => {
    for (const field of EDITABLE) saveDraft(draftOf(field), '');
  };
  return { texts, set, forget };
};

const EditForm = ({ loaded }: { loaded: Loaded }) => {
  const words = useWords(PROJECTS);
  const common = useWords(COMMON);
  const names = useWords(NAMES);
  const say = useSayStatus();
  const [, navigate] = useLocation();
  // The version that the form was opened with. A newer one that is loaded meanwhile must not replace it.
  const [base, setBase] = useState(loaded);
  const [theirs, setTheirs] = useState<Loaded>();
  const { id } = base.project;
  const before = toTexts(base.project);
  const { texts, set, forget } = useTexts(id, before);
  const [isSaved, setSaved] = useState(false);

  /** Nothing is unsaved from here on, so nobody is asked. */
  const leave = () => {
    flushSync(() => setSaved(true));
    forget();
    navigate(`/projects/${id}`);
  };
  const resolve = (next: Texts) => {
    if (theirs) setBase(theirs);
    setTheirs(undefined);
    set(next);
  };
  const save = useMutation({
    mutationFn: async () => {
      const body = toUpdate(before, texts) as Partial<Pick<Project, Field>>;
      const call = { params: { path: { id } }, body, ifMatch: base.version };
      try {
        await backOffice.PATCH('/projects/{id}', call);
      } catch (error) {
        if (!isPlatformError(error, 'CHANGED_MEANWHILE')) throw error;
        setTheirs(await readProject(id));
        return false;
      }
      leave();
      return true;
    },
    meta: PROJECT_CHANGE,
    onSuccess: (isSaved) => isSaved && say(words.saved),
  });
  const change =
    (field: Field) =>
    ({ currentTarget }: { currentTarget: { value: string } }) =>
      set({ ...texts, [field]: currentTarget.value });

  return (
    <Form
      mutation={save}
      submit={common.save}
      submitting={common.saving}
      buttons={<Button onClick={leave}>{common.cancel}</Button>}
      advice={(error) => isPlatformError(error, 'PROJECT_NOT_FOUND') && words.gone}
    >
      {theirs && (
        <Conflict
          mine={texts}
          base={before}
          theirs={toTexts(theirs.project)}
          onTake={() => resolve(toTexts(theirs.project))}
          onKeep={() => resolve(texts)}
        />
      )}
      <TextField
        name="title"
        label={words.title}
        minLength={3}
        maxLength={255}
        pattern=".*\S.*\S.*\S.*|.{3,}"
        invalid={words.titleRule}
        value={texts.title}
        onChange={change('title')}
      />
      <SelectField
        name="category"
        label={words.category}
        options={Object.fromEntries(CATEGORIES.map((name) => [name, nameOf(names.category, name)]))}
        value={texts.category}
        onChange={change('category')}
      />
      <TextAreaField
        name="description"
        label={words.description}
        rows={8}
        minLength={3}
        invalid={words.descriptionRule}
        value={texts.description}
        onChange={change('description')}
      />
      <Changes before={before} after={texts} />
      <UnsavedChanges hasChanges={!isSaved && findChanges(before, texts).length > 0} />
    </Form>
  );
};

/** Title, category and description. The status belongs to the services that run projects. */
export const EditProject = () => {
  const words = useWords(PROJECTS);
  const { id = '' } = useParams<{ id: string }>();
  const query = useQuery(projectDetail(id));
  const { data } = query;
  if (!data) return <ProjectUnavailable query={query} />;
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
