import type { AccountClient } from './clients.ts';
import type { NewPerson, Person } from './person.ts';

/** A person who is being made. `client` comes from the network of the person. */
export type Making = { wanted: NewPerson; client: AccountClient; person: Person };
