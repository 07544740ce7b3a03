/** Starts something for a suite and stops it afterwards. Returns a function that the tests call to get it. */
export const useRunning = <Running extends { stop: () => Promise<unknown> }>(
  start: () => Promise<Running>,
): (() => Running) => {
  let running: Running | undefined;
  before('start what the suite needs', async () => {
    running = await start();
  });
  after('stop it', () => running?.stop());
  return () => {
    if (!running) throw new Error('It runs only during the tests of its suite');
    return running;
  };
};
