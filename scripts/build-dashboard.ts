import { say } from './start/command.ts';
import { buildDashboard } from './start/dashboard.ts';

// `npm run build`: builds the pages that are deployed with the Worker. `npm start` and the tests build them themselves.
await buildDashboard(say);
