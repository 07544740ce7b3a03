/** Which part of a list is asked for; both from 1 on. */
export type Page = { page: number; perPage: number };

/** One page of a list, and how many rows the list has in all. */
export type Paged<Row> = { rows: Row[]; total: number };

export const toEnvelope = <Row, Body>(
  { rows, total }: Paged<Row>,
  { page, perPage }: Page,
  toBody: (row: Row) => Body,
) => ({
  data: rows.map(toBody),
  total,
  page,
  perPage,
});
