import { runProcess } from '../../../src/cli/terminal/process.ts';
import { run } from '../../../src/cli/run/run.ts';
import { noLog } from '../../../src/cli/terminal/terminal.ts';
import { Http } from '../../../src/client/http/http.ts';
import { SecretOrigins } from '../../../src/model/agents/secretOrigins.ts';
import { loadObserver } from '../../../src/conformance/rules/loadedRules.ts';
import { noAllowance } from '../../support/noAllowance.ts';

// A command whose answer never comes and whom nothing keeps alive, or one that a defect ends: `standstill.ts send|defect FILE`.
const [what, file = ''] = process.argv.slice(2);
// Of the class: each agent has a view of its own.
Http.prototype.request = () => {
  setImmediate(() => {
    throw new Error('broken');
  });
  return new Promise(() => {});
};
runProcess(({ host, output, interrupt, giveUp }) =>
  what === 'send'
    ? new Promise(() => {})
    : run(
        {
          host,
          output,
          values: { reporter: ['junit'] },
          http: new Http({ loadObserver }),
          signal: interrupt,
          giveUp,
          log: noLog,
          origins: new SecretOrigins(),
          allowance: noAllowance,
        },
        [file],
      ),
);
