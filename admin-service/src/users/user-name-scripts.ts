/** "First last" in the profile `c` of the customer or `e` of the employee; the index of names has the same text. */
export const toProfileName = (profile: string): string =>
  `(coalesce(${profile}.first_name || ' ', '') || coalesce(${profile}.last_name, ''))`;

/** The name of a user in the profile of the customer, or else of the employee; null without one. */
export const toUserName = (customer: string, employee: string): string =>
  `coalesce(nullif(rtrim(${toProfileName(customer)}), ''), nullif(rtrim(${toProfileName(employee)}), ''))`;
