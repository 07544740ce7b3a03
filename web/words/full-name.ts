type Named = { firstName?: string | null; lastName?: string | null };

/** `Ada Byron`, or the one name that was given; undefined without either. */
export const toFullName = (person: Named | null | undefined): string | undefined =>
  [person?.firstName, person?.lastName].filter(Boolean).join(' ') || undefined;
