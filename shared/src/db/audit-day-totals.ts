const STORE_NEXT = 'select store_next_audit_day_totals()::text as day';

/**
 * Counts the audit records of the past days that have no totals yet (20261208-audit-day-totals.ts), so that lists need not
 * count them. A transaction for each day.
 * @returns the number of days
 */
export const storeAuditDayTotals = async (
  query: (text: string) => Promise<readonly { day: string | null }[]>,
): Promise<number> => {
  for (let days = 0; ; days += 1) {
    const [next] = await query(STORE_NEXT);
    if (!next?.day) return days;
  }
};
