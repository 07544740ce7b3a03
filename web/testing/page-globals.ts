import { GlobalRegistrator } from '@happy-dom/global-registrator';

const before = Object.getOwnPropertyDescriptors(globalThis) as Record<PropertyKey, PropertyDescriptor>;

// Chromium's language, whatever the machine's.
GlobalRegistrator.register({ url: 'http://localhost:3000/' });

// A form that is sent without a button has no submitter in browsers. happy-dom names the form itself.
document.addEventListener(
  'submit',
  (event) => {
    if (event.submitter === event.target) Object.defineProperty(event, 'submitter', { value: null });
  },
  { capture: true },
);

const isPage = (name: PropertyKey, { value, get }: PropertyDescriptor): boolean =>
  value !== before[name]?.value || get !== before[name]?.get;

/** What a browser has and Node lacks, or has in another form. */
const page = Reflect.ownKeys(globalThis)
  .map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name) as PropertyDescriptor] as const)
  .filter(([name, descriptor]) => isPage(name, descriptor));

/** The test workers run other files in the same process, so the page exists only while its tests run. */
export const enterPage = (): void => {
  for (const [name, descriptor] of page) Object.defineProperty(globalThis, name, descriptor);
};

export const leavePage = async (): Promise<void> => {
  // happy-dom keeps the timers without a delay in one. If it is aborted, no later one of the process ever ends.
  await new Promise((resolve) => setTimeout(resolve));
  // Timers of the pages would find no document.
  await (globalThis as unknown as { happyDOM: { abort: () => Promise<void> } }).happyDOM.abort();
  for (const [name] of page) {
    const original = before[name];
    if (original) Object.defineProperty(globalThis, name, original);
    else Reflect.deleteProperty(globalThis, name);
  }
};
