/** Rejects with `new Error(message)` when `promise` has not settled after so many milliseconds. */
export const withTimeout = <Result>(
  promise: Promise<Result>,
  milliseconds: number,
  message: string,
): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
};
