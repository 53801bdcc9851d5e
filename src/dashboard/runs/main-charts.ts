/** The charts that are shown first, each with the names its curves have (verl's, and a few of our own) and what kind of number they are. */

export interface MainChart {
  readonly title: ChartTitle;
  readonly metrics: RegExp;
  /** A share lies between 0 and 1, a count begins at 0 and has whole ticks; the others are what they are. */
  readonly unit?: 'share' | 'count';
  /** Of charts about one thing the first that has curves is shown, the others are behind a click. */
  readonly family?: 'kl';
}

export type ChartTitle =
  | 'Success'
  | 'Success by environment'
  | 'Reward'
  | 'Parts of the reward'
  | 'Groups with signal'
  | 'Gradient agreement'
  | 'Entropy'
  | 'KL to the start'
  | 'KL of one update'
  | 'KL divergence'
  | 'Loss'
  | 'Accuracy'
  | 'Gradient norm'
  | 'Episode length'
  | 'Throughput'
  | 'Staleness'
  | 'Failures'
  | 'Learning rate';

export const mainCharts: readonly MainChart[] = [
  { title: 'Success', metrics: /^(train\/success|val-core\/.*\/success\/mean@\d+)$/, unit: 'share' },
  { title: 'Success by environment', metrics: /^train\/success\//, unit: 'share' },
  { title: 'Reward', metrics: /^(critic\/score\/mean|val-core\/.*\/reward\/mean@\d+)$/ },
  { title: 'Parts of the reward', metrics: /^reward\/.+\/mean$/ },
  { title: 'Groups with signal', metrics: /^train\/groups_with_signal$/, unit: 'share' },
  { title: 'Gradient agreement', metrics: /^train\/gradient_agreement(_mean)?$/ },
  { title: 'Entropy', metrics: /^actor\/entropy$/ },
  { title: 'KL to the start', metrics: /^actor\/(kl_loss|reward_kl_penalty|kl_to_start|kl_to_reference)$/, family: 'kl' },
  { title: 'KL of one update', metrics: /^actor\/kl_of_update$/, family: 'kl' },
  { title: 'KL divergence', metrics: /^actor\/ppo_kl$/, family: 'kl' },
  { title: 'Loss', metrics: /^(actor\/pg_loss|train\/loss|val\/loss)$/ },
  { title: 'Accuracy', metrics: /^train\/(token|reply)_accuracy$/, unit: 'share' },
  { title: 'Gradient norm', metrics: /^(actor|train)\/grad_norm$/ },
  { title: 'Episode length', metrics: /^num_turns\/mean$/ },
  { title: 'Throughput', metrics: /^perf\/throughput$/ },
  { title: 'Staleness', metrics: /^train\/staleness$/, unit: 'count' },
  { title: 'Failures', metrics: /^train\/(failures\/.*|lost_groups)$/, unit: 'count' },
  { title: 'Learning rate', metrics: /^(actor|train)\/lr$/ },
];
