import type { Profile } from '@platform/client';
import { changeProfile } from '@platform/client/account';
import { Card, CardBody } from '../components/card.tsx';
import { GlobeIcon } from '../components/form-icons.tsx';
import { TextField } from '../components/forms/fields.tsx';
import { LanguageSelect } from '../components/frame/language-select.tsx';
import { QueryError, Skeleton } from '../components/states.tsx';
import { StatusProvider } from '../components/status.tsx';
import { toFullName } from '../words/full-name.ts';
import { useWords } from '../words/words.ts';
import type { Change } from './account-action.tsx';
import { PersonIcon, PhoneIcon } from './account-icons.tsx';
import { EditProfile } from './edit-profile.tsx';
import { useMe } from './queries.ts';
import { Group, LocalStatus, Row } from './rows.tsx';
import { OWN_ACCOUNT } from './words.ts';

type FieldName = keyof Parameters<typeof changeProfile>[1];
type Fields = Record<FieldName, string>;

/** A field of the contract that is missing here or has no word does not compile. */
const FIELDS: Record<FieldName, { autoComplete: string; maxLength: number; type?: 'tel' }> = {
  firstName: { autoComplete: 'given-name', maxLength: 100 },
  lastName: { autoComplete: 'family-name', maxLength: 100 },
  phone: { autoComplete: 'tel', maxLength: 32, type: 'tel' },
};
const FIELD_NAMES = Object.keys(FIELDS) as FieldName[];
const isPartOfName = (name: FieldName): boolean => name === 'firstName' || name === 'lastName';

/** An empty field clears what was stored. */
const toProfile = (fields: Fields) =>
  Object.fromEntries(FIELD_NAMES.map((name) => [name, fields[name].trim() || null]));

const Edit = ({ profile }: { profile: Profile }) => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <EditProfile onSubmit={({ client, fields }: Change<Fields>) => changeProfile(client, toProfile(fields))}>
      {FIELD_NAMES.map((name) => (
        <TextField<Fields>
          key={name}
          name={name}
          label={words[name]}
          isOptional
          defaultValue={profile[name] ?? ''}
          {...FIELDS[name]}
        />
      ))}
    </EditProfile>
  );
};

/** Chooses the language of the pages, which mails have as well. */
export const LanguageRow = () => {
  const words = useWords(OWN_ACCOUNT);
  return (
    <Row
      icon={<GlobeIcon />}
      title={words.language}
      notes={[words.languageHint]}
      action={<LanguageSelect />}
    />
  );
};

/** The profile of a customer or employee. Administrators have none. */
export const ProfileCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const query = useMe();
  const { data, error } = query;
  const profile = data?.profile;
  return (
    <StatusProvider>
      <Card title={words.profile} action={profile && <Edit profile={profile} />}>
        <LocalStatus />
        {!profile && (
          <CardBody>
            <QueryError query={query} />
            {!error && <Skeleton />}
          </CardBody>
        )}
        {profile && (
          <Group>
            <Row icon={<PersonIcon />} title={words.name} notes={[toFullName(profile) ?? words.notGiven]} />
            {FIELD_NAMES.filter((name) => !isPartOfName(name)).map((name) => (
              <Row
                key={name}
                icon={name === 'phone' ? <PhoneIcon /> : <PersonIcon />}
                title={words[name]}
                notes={[profile[name] ?? words.notGiven]}
              />
            ))}
            <LanguageRow />
          </Group>
        )}
      </Card>
    </StatusProvider>
  );
};
