/** The part of React that react.ts uses, so that the client can be checked without it. */
declare module 'react' {
  export const useSyncExternalStore: <Snapshot>(
    subscribe: (listener: () => void) => () => void,
    getSnapshot: () => Snapshot,
    getServerSnapshot: () => Snapshot,
  ) => Snapshot;
}
