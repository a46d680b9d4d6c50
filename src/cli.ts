import { main } from './cli/main.ts';
import { completeOldNode } from './cli/terminal/nodeVersion.ts';
import { runProcess } from './cli/terminal/process.ts';

completeOldNode();
runProcess(run => main(process.argv.slice(2), run), { reports: ['run', 'check'].includes(process.argv[2] ?? '') });
