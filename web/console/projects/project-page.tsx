import { isPlatformError, type Project } from '@platform/client';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useLocation, useParams } from 'wouter';
import { Avatar } from '../../components/avatar.tsx';
import { Button } from '../../components/button.tsx';
import { Card, CardBody, Facts } from '../../components/card.tsx';
import { CopyId } from '../../components/copy-button.tsx';
import { type DialogState, useDialogs, WriteDialog } from '../../components/forms/action-dialog.tsx';
import { Page } from '../../components/frame/page.tsx';
import { UnavailablePage } from '../../components/frame/unavailable-page.tsx';
import { State } from '../../components/state.tsx';
import { PageSkeleton, QueryError, type QueryState } from '../../components/states.tsx';
import { Time } from '../../components/time.tsx';
import { useWords } from '../../words/words.ts';
import { NAMES, nameOf } from '../names.ts';
import { ACTIVITY } from '../records/audit-words.ts';
import { useKnownName, useNoteOpened } from '../records/recent.ts';
import { TargetActivity } from '../records/target-activity.tsx';
import { lookOfProject } from '../state-looks.ts';
import { nameOfOwner } from './project.ts';
import { deleteProject, PROJECT_CHANGE, projectDetail, restoreProject } from './project-queries.ts';
import { PROJECTS } from './project-words.ts';

const DeleteDialog = ({ project: { id, title }, ...dialog }: DialogState & { project: Project }) => {
  const words = useWords(PROJECTS);
  const [, navigate] = useLocation();
  const restore = async () => {
    await restoreProject(id);
    navigate(`/projects/${id}`);
  };
  return (
    <WriteDialog
      {...dialog}
      title={words.deleteQuestion(title)}
      submit={words.deleteProject}
      submitting={words.deleting}
      act={() => deleteProject(id)}
      meta={{ ...PROJECT_CHANGE, leaves: true, whether: words.whetherDeleted(title) }}
      done={() => {
        navigate('/projects', { replace: true });
        return words.deleted(title);
      }}
      undo={{
        mutationFn: restore,
        meta: { ...PROJECT_CHANGE, whether: words.whetherRestored(title) },
        undone: words.restored(title),
      }}
    >
      <p>{words.deleteText}</p>
    </WriteDialog>
  );
};

const FactsCard = ({ project }: { project: Project }) => {
  const words = useWords(PROJECTS);
  const names = useWords(NAMES);
  const { owner, contractingStage, createdAt, updatedAt } = project;
  return (
    <Card title={words.project}>
      <CardBody>
        <Facts
          facts={[
            [
              words.owner,
              <Link key="owner" href={`/users/${owner.id}`}>
                {nameOfOwner(owner) ?? names.deletedUser}
              </Link>,
            ],
            ...(contractingStage === null
              ? []
              : [[words.stage, nameOf(names.contractingStage, contractingStage)] as const]),
            [words.created, <Time key="created" at={createdAt} isFull />],
            [words.changed, <Time key="changed" at={updatedAt} isFull />],
          ]}
        />
      </CardBody>
    </Card>
  );
};

const Found = ({ project }: { project: Project }) => {
  const words = useWords(PROJECTS);
  const names = useWords(NAMES);
  const dialogs = useDialogs<'delete'>();
  return (
    <Page
      title={words.project}
      heading={project.title}
      breadcrumbs={[[words.projects, '/projects']]}
      mark={<Avatar name={project.title} size={48} isTeam />}
      line={
        <div className="thing-line">
          <span>{nameOf(names.category, project.category)}</span>
          <CopyId id={project.id} label={words.id} />
        </div>
      }
      aside={
        <State look={lookOfProject(project.status)}>{nameOf(names.projectStatus, project.status)}</State>
      }
      actions={
        <>
          <Link className="button" href={`/projects/${project.id}/edit`}>
            {words.edit}
          </Link>
          <Button look="danger-quiet" onClick={dialogs.open('delete')}>
            {words.delete}
          </Button>
        </>
      }
    >
      <div className="columns">
        <div className="stack">
          <FactsCard project={project} />
          <Card title={words.description}>
            <CardBody>
              {project.description ? (
                <div className="text-lines">{project.description}</div>
              ) : (
                <span className="muted">{words.noDescription}</span>
              )}
            </CardBody>
          </Card>
        </div>
        <TargetActivity targetId={project.id} />
      </div>
      <DeleteDialog project={project} {...dialogs.dialog('delete')} />
    </Page>
  );
};

type ProjectUnavailableProps = {
  query: QueryState;
  shape: ReactNode;
};

export const ProjectUnavailable = ({ query, shape }: ProjectUnavailableProps) => {
  const words = useWords(PROJECTS);
  const { id = '' } = useParams<{ id: string }>();
  const known = useKnownName('projects', id, ({ title }: { title: string }) => title);
  return (
    <UnavailablePage
      query={query}
      title={words.project}
      known={known}
      shape={shape}
      list={[words.projects, '/projects']}
      missingCode="PROJECT_NOT_FOUND"
      words={words}
      action={<Link href="/projects/deleted">{words.deletedProjects}</Link>}
    />
  );
};

export const ProjectPage = () => {
  const { id = '' } = useParams<{ id: string }>();
  const words = useWords(PROJECTS);
  const { activity } = useWords(ACTIVITY);
  const query = useQuery(projectDetail(id));
  const { data, error } = query;
  useNoteOpened(data && { href: `/projects/${id}`, kind: 'project', name: data.project.title });
  if (!data || isPlatformError(error, 'PROJECT_NOT_FOUND'))
    return (
      <ProjectUnavailable
        query={query}
        shape={<PageSkeleton columns={[[words.project, words.description], [activity]]} />}
      />
    );
  return (
    <>
      <QueryError query={query} />
      <Found project={data.project} key={id} />
    </>
  );
};
