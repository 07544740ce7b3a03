import { SignInCard } from '../components/sign-in-card.tsx';
import { startApplication } from '../page/start.tsx';

await startApplication(<SignInCard title="Sign in">{null}</SignInCard>);
