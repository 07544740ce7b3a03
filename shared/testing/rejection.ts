/** Returns the error with which `work` rejects. @throws Error if it does not */
export const getRejection = async (work: Promise<unknown>): Promise<Error> => {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof Error) return error;
  throw new Error(
    `The work was expected to fail, but ${error === undefined ? 'succeeds' : `throws ${error}`}`,
  );
};
