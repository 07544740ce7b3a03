import helmet from 'helmet';

/** For JSON responses; upstream pages send their own Content-Security-Policy, which replaces this one. */
export const setSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  },
  xFrameOptions: { action: 'deny' },
});
