import { useQuery } from '@tanstack/react-query';
import { Card } from '../components/card.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { QueryErrorRow } from '../components/states.tsx';
import { usePlatform } from '../session/platform.ts';
import { useWords } from '../words/words.ts';
import type { Change } from './account-action.tsx';
import { PersonIcon } from './account-icons.tsx';
import { administratorName } from './administrator-name.ts';
import { EditProfile } from './edit-profile.tsx';
import { Group, Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

type Fields = { name: string };

/** Shows and changes the name of an administrator, which colleagues see beside their actions. */
export const AdministratorCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const query = useQuery(administratorName(client));
  const { data } = query;
  return (
    <Card
      title={words.profile}
      action={
        data && (
          <EditProfile
            text={words.colleaguesSeeName}
            onSubmit={({ client, fields: { name } }: Change<Fields>) =>
              client.PATCH('/auth/admin/name', { body: { name: name.trim() || null } })
            }
          >
            <TextField<Fields>
              name="name"
              label={words.name}
              isOptional
              autoComplete="name"
              maxLength={100}
              defaultValue={data.name ?? ''}
            />
          </EditProfile>
        )
      }
    >
      <QueryErrorRow query={query} />
      {data && (
        <Group>
          <Row icon={<PersonIcon />} title={words.name} notes={[data.name ?? words.notGiven]} />
        </Group>
      )}
    </Card>
  );
};
