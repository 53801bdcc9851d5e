/** Tokens read and written behind an endpoint, what they cost, and the budget that ends the asking. */
import { AgogeError } from '../../core/error.ts';

export interface SpendingOptions {
  /** Dollars per million tokens read and written. */
  readonly prices?: { readonly input: number; readonly output: number } | undefined;
  /** Dollars after which nothing more is asked; needs prices. */
  readonly budget?: number | undefined;
}

export class Spending {
  input = 0;
  output = 0;

  constructor(private readonly options: SpendingOptions) {
    if (options.budget !== undefined && !options.prices)
      throw new AgogeError(
        'CONFIG_BUDGET',
        'a budget needs prices to count with: give --price as well, such as --price 0.15,0.60',
      );
  }

  add(usage: { readonly input: number; readonly output: number }): void {
    this.input += usage.input;
    this.output += usage.output;
  }

  get cost(): number | undefined {
    const { prices } = this.options;
    return prices && (this.input * prices.input + this.output * prices.output) / 1e6;
  }

  /** Throws POLICY_BUDGET when there is nothing left to spend. */
  check(): void {
    const { budget } = this.options;
    const { cost } = this;
    if (budget === undefined || cost === undefined || cost < budget) return;
    throw new AgogeError(
      'POLICY_BUDGET',
      `the budget of $${budget} is spent ($${cost.toFixed(4)}): what was played is kept; raise --budget to go on`,
    );
  }
}
