import { sentence } from '../../../protocol/problem.ts';
import { quoted } from '../../../protocol/quoted.ts';
import { withTask } from '../rule/begun.ts';
import { failed, isAside, isRefused, nothing, passed, said, wantsCredentials } from '../rule/outcome.ts';
import type { Rule } from '../rule/rule.ts';

export const rule: Rule = {
  id: 'AUTH-03',
  level: 'MUST NOT',
  title: "The agent reveals that another caller's task exists",
  remedy: "Look up tasks by id and owner, and answer TaskNotFoundError for other callers' tasks.",
  clause: '3.3.2 Error Handling',
  versions: ['1.0'],
  startsWork: true,
  needsTwoIdentities: true,
  kit: ['AUTH-SCOPE-003'],
  probe: {
    run: port =>
      withTask(port, 'task', async ({ taskId }) => {
        const other = port.as('other')!;
        const random = await other.call('GetTask', { id: crypto.randomUUID() });
        const foreign = await other.call('GetTask', { id: taskId });
        // Credentials that do not count, or a limit: it is the difference that tells.
        if (isAside(random)) return nothing(random);
        if (isAside(foreign) && !wantsCredentials(foreign)) return nothing(foreign);
        if (!isRefused(foreign)) return failed(foreign, sentence('It gave another caller the task {0}.', quoted(taskId)), foreign.pointer);
        const [one, two] = [random, foreign].map(({ status, error }) => `${status} ${error?.code ?? ''}`.trim());
        return one === two
          ? passed(foreign, sentence('It answered {0}, as it should.', said(foreign)))
          : failed(
              foreign,
              sentence(
                "For another caller's task it answered {0}, for an unknown task {1}. The difference reveals that the task exists.",
                said(foreign),
                said(random),
              ),
              foreign.error?.pointer,
            );
      }),
  },
};
