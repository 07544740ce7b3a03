/** "First last" in the profile `c` of the customer or `e` of the employee; the index of names has the same text. */
export const toProfileName = (profile: string): string =>
  `(coalesce(${profile}.first_name || ' ', '') || coalesce(${profile}.last_name, ''))`;

const toAdministratorName = (id: string): string =>
  `(select named.name from user_roles named where named.user_id = ${id} and named.name is not null)`;

/**
 * The name of a user in the profile of the customer, or else of the employee, or else the one that an
 * administrator has chosen; null without one.
 */
export const toUserName = (customer: string, employee: string, id: string): string =>
  `coalesce(nullif(rtrim(${toProfileName(customer)}), ''), nullif(rtrim(${toProfileName(employee)}), ''),
    ${toAdministratorName(id)})`;

const toProfileNameOf = (table: string, id: string): string =>
  `(select nullif(rtrim(${toProfileName('profile')}), '') from ${table} profile where profile.user_id = ${id})`;

/** The name that toUserName selects, for statements that do not join the profiles. */
export const toNameOf = (id: string): string =>
  `coalesce(${toProfileNameOf('customer_profiles', id)}, ${toProfileNameOf('employee_profiles', id)},
    ${toAdministratorName(id)})`;

/** A `UserReference` or null, as JSON. */
export const toReferenceTo = (id: string): string => `case when ${id} is not null then json_build_object(
    'id', ${id}, 'email', (select email from users where users.id = ${id}), 'name', ${toNameOf(id)}) end`;
