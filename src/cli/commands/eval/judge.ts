/** `agoge eval <gold set> --judge <policy>`: how far a judge agrees with people. */
import { AgogeError } from '../../../core/error.ts';
import { print, printJson } from '../../terminal/print.ts';

export interface JudgeCommand {
  readonly judge: string;
  readonly rubric?: string | undefined;
  readonly limit?: number | undefined;
  readonly json?: true | undefined;
}

export async function printAgreement(files: readonly string[], options: JudgeCommand): Promise<void> {
  const [file, second] = files;
  if (file === undefined || second !== undefined || !/\.(jsonl?|csv|parquet)(\.gz)?$/i.test(file))
    throw new AgogeError('CLI_USAGE_JUDGE', '--judge reads one gold set: agoge eval gold.jsonl --judge openai:<model>@<url>');
  const [{ judgeAgreement, judgedTrajectory }, { judge }, { noTruth }] = await Promise.all([
    import('../../../eval/judge-agreement.ts'),
    import('../../../rewards/judge.ts'),
    import('../../../rewards/reward.ts'),
  ]);
  const ask = judge({ model: options.judge, rubric: options.rubric });
  const report = await judgeAgreement(
    file,
    async (messages, groundTruth) => {
      const trajectory = judgedTrajectory(messages);
      return (await ask(trajectory, trajectory.task, { ...noTruth, groundTruth })) as number;
    },
    options.limit === undefined ? {} : { limit: options.limit },
  );
  if (report.failed === report.rows)
    throw new AgogeError(
      'EVAL_JUDGE',
      `${options.judge} judged none of ${report.rows} rows (${report.reasons[0] ?? ''}): choose another judge`,
    );
  if (options.json) {
    printJson({ judge: options.judge, file, ...report });
    return;
  }
  const number = (value: number): string => value.toFixed(3);
  const what = report.kind === 'pairs' ? 'pairs ranked as the gold set' : 'rows on the same side of the middle';
  const more = [
    report.ties === undefined ? '' : `; ${report.ties} ties`,
    report.distance === undefined ? '' : `; mean distance ${number(report.distance)}`,
    report.correlation === undefined ? '' : `; correlation ${number(report.correlation)}`,
  ].join('');
  print(
    `${options.judge} on ${file}: ${number(report.agreement)} [${number(report.low)}, ${number(report.high)}] of ${report.rows - report.failed} ${what}${more}`,
  );
  if (report.failed > 0) print(`${report.failed} without a judgement: ${report.reasons.join('; ')}`);
}
