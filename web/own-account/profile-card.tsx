import type { PlatformClient, Profile } from '@platform/client';
import { changeProfile } from '@platform/client/account';
import { Card, CardBody, Facts } from '../components/card.tsx';
import { TextField } from '../components/fields.tsx';
import type { ReadField } from '../components/form.tsx';
import { QueryError, Skeleton } from '../components/states.tsx';
import { usePlatform } from '../session/platform.ts';
import { toFullName } from '../words/full-name.ts';
import { OWN_ACCOUNT } from '../words/own-account.ts';
import { useWords } from '../words/words.ts';
import { AccountAction } from './account-action.tsx';
import { useMe } from './queries.ts';

/** An empty field clears what was stored. */
const readProfile = (read: ReadField) => {
  const field = (name: string) => read(name).trim() || null;
  return { firstName: field('firstName'), lastName: field('lastName'), phone: field('phone') };
};

const EditProfile = ({ profile }: { profile: Profile }) => {
  const words = useWords(OWN_ACCOUNT);
  const { client } = usePlatform();
  const save = (read: ReadField) =>
    // Customers and employees have profiles, and the shared client has the type of every kind.
    changeProfile(client as unknown as PlatformClient<'customer'>, readProfile(read));
  return (
    <AccountAction
      button={words.editProfile}
      title={words.editProfile}
      submit={words.save}
      submitting={words.saving}
      onSubmit={save}
      done={() => words.profileSaved}
    >
      <TextField
        name="firstName"
        label={words.firstName}
        isOptional
        autoComplete="given-name"
        maxLength={100}
        defaultValue={profile.firstName ?? ''}
      />
      <TextField
        name="lastName"
        label={words.lastName}
        isOptional
        autoComplete="family-name"
        maxLength={100}
        defaultValue={profile.lastName ?? ''}
      />
      <TextField
        name="phone"
        type="tel"
        label={words.phone}
        isOptional
        autoComplete="tel"
        maxLength={32}
        defaultValue={profile.phone ?? ''}
      />
    </AccountAction>
  );
};

/** For customers and employees: administrators have no profile. */
export const ProfileCard = () => {
  const words = useWords(OWN_ACCOUNT);
  const query = useMe();
  const { data, error } = query;
  const profile = data?.profile;
  return (
    <Card title={words.profile}>
      <CardBody>
        <QueryError query={query} />
        {!data && !error && <Skeleton />}
        {profile && (
          <div className="stack">
            <Facts
              facts={[
                [words.name, toFullName(profile) ?? words.notGiven],
                [words.phone, profile.phone ?? words.notGiven],
              ]}
            />
            <div>
              <EditProfile profile={profile} />
            </div>
          </div>
        )}
      </CardBody>
    </Card>
  );
};
