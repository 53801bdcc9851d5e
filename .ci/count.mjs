// count.mjs REPORT FAILURES: prints how many tests of a vitest report passed and failed, and appends the failures, with their first
// lines, to a file. A test file that could not be loaded counts as one failure.
import { appendFileSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [, , report, failures] = process.argv;
const { numPassedTests, testResults } = JSON.parse(readFileSync(report, 'utf8'));
const firstLines = (text = '') => text.split('\n').slice(0, 6).join('\n    ');
const failed = testResults.flatMap(({ name, status, message, assertionResults }) => {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && tests.length === 0) return [`${relative('.', name)}: ${firstLines(message)}`];
  return tests.map((test) => `${relative('.', name)}: ${test.fullName}\n    ${firstLines(test.failureMessages[0])}`);
});
appendFileSync(failures, failed.map((text) => `${text}\n`).join(''));
console.log(numPassedTests, failed.length);
