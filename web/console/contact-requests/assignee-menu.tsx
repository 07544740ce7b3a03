import { useQuery } from '@tanstack/react-query';
import { Avatar } from '../../components/avatar.tsx';
import { ChevronIcon } from '../../components/icons.tsx';
import { Menu, MenuChoice, MenuLabel, MenuLine } from '../../components/menu.tsx';
import { COMMON } from '../../words/common.ts';
import { useWords } from '../../words/words.ts';
import { nameOfReference } from '../records/people.ts';
import type { ContactRequest } from '../records/record-queries.ts';
import { colleagueList } from '../records/record-queries.ts';
import { CONTACT } from './contact-words.ts';

type MenuProps = {
  assignee: ContactRequest['assignee'];
  ownId: string | undefined;
  isBusy: boolean;
  onChoose: (id: string | null) => void;
};

/** Loads the colleagues when the menu is opened; "me" and "nobody" are there at once. */
const Colleagues = ({ assignee, ownId, onChoose }: Omit<MenuProps, 'isBusy'>) => {
  const common = useWords(COMMON);
  const query = useQuery(colleagueList());
  // Only an ADMIN sees requests.
  const colleagues = (query.data?.data ?? [])
    .filter(({ id, roles }) => roles.includes('ADMIN') && id !== ownId)
    .map(({ id, name, email }) => ({ id, name: name ?? email }))
    .toSorted((one, other) => one.name.localeCompare(other.name));
  if (query.isError) return <MenuLabel>{common.cannotLoad}</MenuLabel>;
  return colleagues.map(({ id, name }) => (
    <MenuChoice
      key={id}
      icon={<Avatar name={name} size={20} />}
      isChecked={assignee?.id === id}
      onClick={() => onChoose(id)}
    >
      <bdi>{name}</bdi>
    </MenuChoice>
  ));
};

/** Shows and changes who the request is assigned to: the reader, a colleague or nobody. */
export const AssigneeMenu = ({ isBusy, ...props }: MenuProps) => {
  const { assignee, ownId, onChoose } = props;
  const words = useWords(CONTACT);
  const isOwn = assignee !== null && assignee.id === ownId;
  const name = assignee && nameOfReference(assignee);
  const shown = isOwn ? words.you : (name ?? words.nobody);
  return (
    <Menu
      button={
        <>
          <span className="visually-hidden">{words.assignedTo} </span>
          {name && <Avatar name={name} size={20} />}
          <bdi>{isBusy ? words.saving : shown}</bdi>
          <ChevronIcon />
        </>
      }
    >
      {ownId !== undefined && (
        <MenuChoice isChecked={isOwn} onClick={() => onChoose(ownId)}>
          {words.you}
        </MenuChoice>
      )}
      <Colleagues {...props} />
      <MenuLine />
      <MenuChoice isChecked={assignee === null} onClick={() => onChoose(null)}>
        {words.noAssignee}
      </MenuChoice>
    </Menu>
  );
};
