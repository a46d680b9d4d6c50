import { hint, sentence, type LocalizedMessage, type Problem } from './problem.ts';

/** The next step where an agent refuses to stream although its card promises it. @param address where the interface is, and where that is from */
export const withoutStream = (address: LocalizedMessage | string): LocalizedMessage =>
  hint(
    sentence(
      '{0} The card promises streaming, but SendStreamingMessage was refused. Send without a stream: if that is refused as well, check that this address leads to the agent itself.',
      address,
    ),
    '{0} The card promises streaming, but SendStreamingMessage was refused. Send without --stream, in a request file with SendMessage: if that is refused as well, check that this address leads to the agent itself.',
  );

/** True for a problem after which the message can be sent without a stream. */
export const mendedWithoutStream = ({ nextStep }: { readonly nextStep?: Problem['nextStep'] }): boolean =>
  nextStep?.template === withoutStream('').template;
