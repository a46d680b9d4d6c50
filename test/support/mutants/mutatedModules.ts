/** A module whose tests have to notice a mistake in it, and those tests. */
export interface MutatedModule {
  readonly file: string;
  readonly tests: readonly string[];
}

/**
 * What keeps credentials where they belong, and what makes tasks whole again.
 *
 * A module for security or recovery has a row; `npm run stress -- F22` lists the mistakes in it that no test notices.
 */
export const mutatedModules: readonly MutatedModule[] = [
  { file: 'src/client/http/origin.ts', tests: ['test/unit/client/origin.test.ts'] },
  {
    file: 'src/client/wireLog/sentCredentials.ts',
    tests: ['test/unit/client/sentCredentials.test.ts', 'test/component/client/sentCredentials.test.ts'],
  },
  {
    file: 'src/protocol/secrets/secretValues.ts',
    tests: ['test/component/protocol/secretValues.test.ts', 'test/unit/protocol/splitSecrets.test.ts'],
  },
  { file: 'src/chat/markdown/linkTarget.ts', tests: ['test/unit/chat/names.test.ts', 'test/unit/chat/parse.test.ts'] },
  ...['requestGuard', 'deliveryVerdicts', 'signedDelivery', 'verdict', 'seenDeliveries'].map(name => ({
    file: `src/receiver/${name}.ts`,
    tests: ['test/component/receiver/notificationReceiver.test.ts', 'test/unit/receiver/seenDeliveries.test.ts'],
  })),
  { file: 'src/model/run/runPhase.ts', tests: ['test/unit/model/runPhase.test.ts'] },
  { file: 'src/model/run/gap.ts', tests: ['test/component/model/agentContext.test.ts'] },
  {
    file: 'src/model/run/recovery.ts',
    tests: [
      'test/unit/model/recovery.test.ts',
      'test/component/model/agentContext.test.ts',
      'test/component/model/sleep.test.ts',
      'test/component/model/taskConnection.test.ts',
    ],
  },
  {
    file: 'src/model/fold/streamReducer.ts',
    tests: ['test/unit/model/streamReducer.test.ts', 'test/unit/model/applyUpdate.test.ts', 'test/component/model/agentContext.test.ts'],
  },
  {
    file: 'src/model/fold/artifactReducer.ts',
    tests: [
      'test/unit/model/artifactReducer.test.ts',
      'test/unit/model/applyUpdate.test.ts',
      'test/component/store/artifactRevisions.test.ts',
      'test/component/model/agentContext.test.ts',
    ],
  },
];
