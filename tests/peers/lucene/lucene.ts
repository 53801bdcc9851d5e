/** Lucene for the peer tests and benches: fetched from Maven Central, our little program compiled against it. */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const jars = join(here, '.cache');
const version = '9.12.0';

/** The class path, or why there is none. */
export function lucene(): { readonly classPath: string } | { readonly missing: string } {
  for (const command of ['javac', 'mvn']) {
    if (spawnSync(command, ['--version'], { stdio: 'ignore' }).status !== 0) return { missing: `${command} is not installed` };
  }
  try {
    mkdirSync(jars, { recursive: true });
    for (const part of ['lucene-core', 'lucene-analysis-common']) {
      if (existsSync(join(jars, `${part}-${version}.jar`))) continue;
      const artifact = `-Dartifact=org.apache.lucene:${part}:${version}`;
      execFileSync('mvn', ['-q', '-B', 'dependency:get', artifact], { stdio: 'ignore', timeout: 300_000 });
      execFileSync('mvn', ['-q', '-B', 'dependency:copy', artifact, `-DoutputDirectory=${jars}`], { stdio: 'ignore' });
    }
    const found = readdirSync(jars).filter((name) => name.endsWith('.jar'));
    const classPath = [...found.map((name) => join(jars, name)), jars].join(delimiter);
    execFileSync('javac', ['-cp', classPath, '-d', jars, join(here, 'LuceneOracle.java')], { stdio: 'pipe' });
    return { classPath };
  } catch (thrown) {
    return { missing: `Lucene could not be fetched or compiled: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

export const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

/** Asks the oracle: one line in, one line out. */
export function ask(classPath: string, args: readonly string[], lines: readonly string[], heap = '1g'): string[] {
  const { status, stdout, stderr } = spawnSync('java', [`-Xmx${heap}`, '-cp', classPath, 'LuceneOracle', ...args], {
    input: lines.map((line) => `${base64(line)}\n`).join(''),
    maxBuffer: 1 << 30,
  });
  if (status !== 0) throw new Error(`Lucene failed: ${stderr.toString()}`);
  return stdout.toString().split('\n').slice(0, -1);
}
