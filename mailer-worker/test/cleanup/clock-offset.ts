// Preloaded with `node --import`: shifts the clock of the process by CLOCK_OFFSET_MILLISECONDS.
const offset = Number(process.env['CLOCK_OFFSET_MILLISECONDS']);
const RealDate = Date;
const now = (): number => RealDate.now() + offset;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[], newTarget) =>
    Reflect.construct(target, values.length === 0 ? [now()] : values, newTarget),
  apply: () => new RealDate(now()).toString(),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
});
