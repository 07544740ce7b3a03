// biome-ignore-all lint/performance/noBarrelFile: one file for all steps after the first, of which people need several.
export { Blocked } from './blocked.tsx';
export { EmailCodeSignIn } from './email-code-sign-in.tsx';
export { ForgottenPassword } from './forgotten-password.tsx';
export { SecondStepForm } from './second-step-form.tsx';
