import { type CommandHandlers, commandIds } from './platform/commands.ts';
import { report } from './platform/report.ts';

/** Handlers that show errors to the person, with the next step. */
export const withErrorReporting = (handlers: CommandHandlers): CommandHandlers =>
  withEach(id => async (...args) => {
    try {
      return await handlers[id](...args);
    } catch (error) {
      await report(error);
      return undefined;
    }
  });

/** Handlers for when the workbench could not be built: every command reports why. */
export const failingCommands = (why: unknown): CommandHandlers => withEach(() => () => report(why));

const withEach = (handlerOf: (id: (typeof commandIds)[number]) => CommandHandlers[typeof id]): CommandHandlers =>
  Object.fromEntries(commandIds.map(id => [id, handlerOf(id)])) as CommandHandlers;
