/** The exports of the library by what a reader wants to do. Every one stands here once; `npm run reference` says which does not. */

export interface Task {
  /** Name of its page. */
  readonly page: string;
  readonly title: string;
  /** A sentence or two for who looks for it. */
  readonly about: string;
  /** In the order in which they are read. */
  readonly names: readonly string[];
}

const words = (text: string): string[] => text.trim().split(/\s+/);

export const tasks: readonly Task[] = [
  {
    page: 'evaluate',
    title: 'Evaluate policies',
    about: 'Success with intervals, compared in pairs: what `agoge eval` and `agoge compare` do.',
    names: words(`evaluate EvaluateOptions EvaluationResult Dashboard Evaluation EvaluationEvents EvaluationRequest Score Panel
      compareScores Comparison wilson Interval bootstrapMean pairedBootstrap mcnemarExact passAtK`),
  },
  {
    page: 'train',
    title: 'Train and resume',
    about: 'Runs from a recipe, as an object or a file: what `agoge train` and `agoge sft` do.',
    names:
      words(`train sft TrainSettings RlRecipeInput SftRecipeInput TrainingRun TrainedStep resumeRun readRlRecipe readSftRecipe
      rlRecipe sftRecipe RlRecipe SftRecipe startRl startSft StartOptions TrainerEvents StepSummary TrainResult`),
  },
  {
    page: 'serve',
    title: 'Serve policies and environments',
    about: "A policy behind OpenAI's API, environments behind AgentGym's routes: what `agoge serve` does.",
    names: words('serve ServeOptions Listening Server startOpenAi OpenAiOptions OpenAiServer startGym GymOptions GymServer'),
  },
  {
    page: 'environments',
    title: 'Use and write environments',
    about: 'Those that ship, those on other machines, and those of your own.',
    names: words(`loadEnvironment openEnvironment environmentEntries defineEnvironment EnvironmentDefinition registerEnvironment
      checkLaws LawOptions LawReport Environment Episode Step TaskRef formatTask parseTask TaskSet TaskInfo OpenOptions Truth Expert
      RemoteExpert Practice EnvironmentFacts Random Dialect AgentGym integer text optional`),
  },
  {
    page: 'agents',
    title: 'Bring an agent, an MCP server or logged conversations',
    about: 'What exists already becomes an environment, and with it everything else.',
    names: words(
      `defineAgent AgentDefinition AgentModel defineHarness HarnessDefinition HarnessCommand defineMcp McpDefinition McpServer defineTraces TracesDefinition TraceTask`,
    ),
  },
  {
    page: 'play',
    title: 'Play episodes',
    about: 'One episode or thousands at once, and what comes of them.',
    names:
      words(`playEpisode EpisodeJob EpisodeOptions EpisodeLimits Sampling EpisodePool PoolOptions Played playGroups Trajectory Turn
      Segment TokenIds Outcome datumOf TrajectoryDatum EnvironmentInteraction Interaction parseInteractions openInteractions`),
  },
  {
    page: 'policies',
    title: 'Policies and prompt formats',
    about: 'Who answers, and how replies are read.',
    names: words(`openPolicy OpenPolicyOptions expandPolicies definePolicy PolicyDefinition Seen policyOf Policy Reply ReplyLimits
      Situation EnginePolicy EnginePolicyOptions EndpointPolicy EndpointOptions baseModelFolder createFormat formatNames openFormat
      withPrompt defineFormat FormatDefinition FormatOptions formatOf PromptFormat Read Conversation createRenderer Renderer`),
  },
  {
    page: 'rewards',
    title: 'Rewards',
    about: "What is paid for: of your own, or one of verl's scores.",
    names:
      words(`defineReward RewardDefinition RewardFunction GroupRewardFunction RewardValue answerOf sampledTokens scores routedScore
      Scored`),
  },
  {
    page: 'algorithms',
    title: 'Estimators, losses and their mathematics',
    about: 'Pure functions. A recipe takes an estimator or a loss of your own by its file, a program as an object.',
    names: words(`defineEstimator Estimator EstimatorOptions registerEstimator estimatorOf estimatorNames estimateAdvantages Row
      Advantages perGroup perRow groupRelative leaveOneOut generalisedAdvantage defineLoss PolicyLossDefinition PolicyLossOptions
      PolicyRow TokenLoss emptyLoss registerPolicyLoss policyLoss policyLossOf policyLossNames ppoClip valueLoss crossEntropy
      preferenceLoss tokenWeights Aggregation klPenalty KlEstimator importanceWeights rejectionMask Numbers at broadcast groupBy mean sum
      variance whiten`),
  },
  {
    page: 'trainers',
    title: 'A training loop of your own',
    about: 'The parts that trainers share: opening, checkpoints, evaluation, interruption and resuming.',
    names: words(`runTrainer Trainer RunConfig Opening OpenRun RunState Ending TrainOptions trainRl RlParts RunDirectory NewRun`),
  },
  {
    page: 'engine',
    title: 'The engine',
    about: 'Sampling and training of a model in this process, and the contract that other engines keep.',
    names:
      words(`EmbeddedEngine EmbeddedOptions Engine ModelInfo CardMemory Tokenizer SampleRequest Sample TokenLogprob Datum ForwardOptions
      TokenScores Loss BuiltinLoss LossGradient LossReport AdamParams OptimReport`),
  },
  {
    page: 'data',
    title: 'Data files and episodes on disk',
    about: 'AgentGym JSON, verl parquet, chat JSONL and recorded episodes: what `agoge data` does.',
    names: [
      ...words('readRows ReadOptions ReadRow BadRow readConversations ConversationRow DataMessage TaskRow PlacedRow'),
      'Row of agoge/data',
      ...words(`dataFiles convertRow ConvertOptions RowWriter inspectFile Inspection validateFile Validation formats Format FormatName
        formatNamed recognise readEpisodes episodeRecord parseEpisodeRecord EpisodeRecord`),
    ],
  },
  {
    page: 'errors',
    title: 'Errors',
    about: 'One class with a stable code. The page of error codes has the meaning and the remedy of each.',
    names: ['AgogeError', 'ErrorCode'],
  },
];
