/** Examples of the reference: evaluations. The body of each function is the example of what it is named after. */
import { compareScores, evaluate, type EvaluationResult } from 'agoge';

export const examples = {
  async EvaluationResult() {
    const result: EvaluationResult = await evaluate('wordle', { policies: ['random', 'expert'], tasks: '0-9' });
    console.log(String(result)); // the table of `agoge eval`
    console.log(result.compare('expert', 'random').success.difference); // 1
    await using dashboard = await result.view();
    console.log(dashboard.url);
  },
  async compareScores() {
    const { scores, panels } = await evaluate('wordle', { policies: ['random', 'expert'], tasks: '0-9' });
    const [random, expert] = scores;
    const [panel] = panels;
    if (random && expert && panel) console.log(compareScores(random, panel, expert, panel).success.p);
  },
};
