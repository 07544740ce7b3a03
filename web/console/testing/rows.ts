/** An id that ends with this number. */
export const idOf = (number: number): string => `018f4f3a-0000-7000-8000-00000000000${number}`;

/** A page with these rows: the first row of the example with other fields. */
export const rows = (fields: readonly object[], page: object = {}) => ({
  body: (example: { data: object[]; total?: number }) => ({
    ...example,
    ...('total' in example && { total: fields.length }),
    ...page,
    data: fields.map((row) => ({ ...example.data[0], ...row })),
  }),
});
