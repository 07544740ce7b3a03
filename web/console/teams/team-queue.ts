type Waiting = { id: string; name: string; createdAt: string };
type Queue = { teams: readonly Waiting[]; total: number };
type Place = {
  /** The place in the queue, from 1; undefined if more teams wait than are loaded and this is not one of those. */
  place: number | undefined;
  total: number;
  /** The next team; after the last one, the first that was skipped. Undefined if no other team waits. */
  next: Waiting | undefined;
};

/** Finds the place of a team in the queue, which begins with the longest wait. */
export const findPlace = ({ teams, total }: Queue, teamId: string): Place => {
  const index = teams.findIndex(({ id }) => id === teamId);
  const next = teams[(index + 1) % Math.max(1, teams.length)];
  return {
    place: index === -1 ? undefined : index + 1,
    total,
    next: next?.id === teamId ? undefined : next,
  };
};

/** The team after one that has left the queue, among those that wait `now`: colleagues verify teams, too. */
export const findNext = (before: Queue, now: Queue, teamId: string): Waiting | undefined => {
  const index = before.teams.findIndex(({ id }) => id === teamId);
  const waiting = now.teams.filter(({ id }) => id !== teamId);
  const after = before.teams.slice(index + 1).map(({ id }) => id);
  return waiting.find(({ id }) => after.includes(id)) ?? waiting[0];
};
