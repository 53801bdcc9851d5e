/**
 * `npm run release`: a release in one go, which ends at the first doubt. Without `--publish` it is a rehearsal: everything but the last
 * step. It asks for a clean tree, a version with its changes, a fresh build, types, lint and tests; then it makes the packages, reads
 * what npm would pack, writes the bill of materials, and publishes: the parts first, `agoge` last, so that nobody installs half of it.
 * `--rehearse URL` publishes all the same, to a registry on this machine. `--prepare VERSION` writes a version wherever it stands.
 * Usage: npm run release -- [--publish] [--registry URL] [--tag NAME] | [--rehearse URL] [--skip-tests] [--into FOLDER] | --prepare VERSION
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { doubts, type Packed } from './release/check.ts';
import { licenceDoubts, type Bill } from './release/licences.ts';
import { addNotices } from './release/notices.ts';
import { provenance } from './release/provenance.ts';
import { manifest, root, stage, type Staged } from './release/stage.ts';
import { released, versionDoubts, writeVersion } from './release/versions.ts';

const { values: options } = parseArgs({
  options: {
    publish: { type: 'boolean', default: false },
    registry: { type: 'string' },
    rehearse: { type: 'string' },
    prepare: { type: 'string' },
    tag: { type: 'string', default: 'latest' },
    'skip-tests': { type: 'boolean', default: false },
    into: { type: 'string', default: join(root, 'outputs/release') },
  },
});
const { version } = manifest();
const into = resolve(options.into);
const registry = options.rehearse ?? options.registry;
const toRegistry = registry === undefined ? [] : ['--registry', registry];

if (options.rehearse !== undefined && !/^http:\/\/(127\.0\.0\.1|localhost|\[::1\]):/.test(options.rehearse))
  stop(`${options.rehearse} is not on this machine: rehearse with one that is`);

if (options.prepare !== undefined) {
  if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(options.prepare)) stop(`${options.prepare} is no version: write three numbers`);
  writeVersion(root, options.prepare, new Date().toISOString().slice(0, 10));
  doubtless(versionDoubts(root), 'the version could not be written everywhere');
  say(
    `${options.prepare} stands everywhere: look at git diff, commit, git tag v${options.prepare}, npm run release -- --publish`,
  );
  process.exit(0);
}
doubtless(versionDoubts(root), 'the places that name the version do not agree');
if (options.publish) {
  checkTree();
  checkChanges();
  checkUnpublished();
}
if (!options['skip-tests']) for (const name of ['lint', 'test', 'test:long', 'test:release']) run('npm', ['run', name]);
run(process.execPath, ['scripts/build.mjs', ...(options['skip-tests'] ? ['--once'] : [])]);

const staged = stage(into);
await addNotices(staged);
const bill = join(into, 'agoge.sbom.json');
run(process.execPath, ['scripts/sbom.mjs', bill, into]);
doubtless(licenceDoubts(JSON.parse(readFileSync(bill, 'utf8')) as Bill), 'a licence is in doubt');
const packed = staged.map((one) => ({ one, pack: packOf(one) }));
for (const { one, pack } of packed) {
  doubtless(doubts(pack, one.folder), `${one.name} must not be published`);
  say(
    `${one.name}@${pack.version}: ${mega(pack.size)} MB to download, ${mega(pack.unpackedSize)} MB on disk, ${pack.files.length} files`,
  );
}
const commit = output('git', ['rev-parse', 'HEAD']);
const dirty = output('git', ['status', '--porcelain']) !== '';
const origin = provenance(
  packed.map(({ pack }) => pack),
  { root, commit, dirty, npm: output('npm', ['--version']) },
);
writeFileSync(join(into, 'agoge.provenance.json'), `${JSON.stringify(origin, null, 2)}\n`);
if (!options.publish && options.rehearse === undefined) {
  say(`a rehearsal: nothing was published; the packages lie in ${into}`);
} else {
  // Provenance says which commit and which CI run made a package; npm can make that statement only there.
  const provenance = process.env['GITHUB_ACTIONS'] === 'true' ? ['--provenance'] : [];
  for (const { one } of packed) {
    run('npm', ['publish', '--access', 'public', '--tag', options.tag, ...provenance, ...toRegistry], one.folder);
    say(`published ${one.name}@${version}`);
  }
  if (provenance.length === 0) say('published without provenance: npm makes that statement in CI alone');
}

function checkTree(): void {
  if (output('git', ['status', '--porcelain']) !== '') stop('there are changes that are not committed: commit or stash them');
  const tag = `v${version}`;
  if (!output('git', ['tag', '--points-at', 'HEAD']).split('\n').includes(tag))
    stop(`this commit is not tagged ${tag}: git tag ${tag}`);
}

function checkChanges(): void {
  if (released(root, version) !== true) stop(`CHANGELOG.md has no day for ${version}: npm run release -- --prepare ${version}`);
}

function checkUnpublished(): void {
  const known = spawnSync('npm', ['view', `agoge@${version}`, 'version', ...toRegistry], { encoding: 'utf8', cwd: root });
  if (known.stdout.trim() !== '') stop(`agoge ${version} is published already: raise the version`);
  if (known.status !== 0 && !known.stderr.includes('E404'))
    stop(`the registry does not answer: ${known.stderr.trim().slice(0, 300)}`);
}

function packOf({ folder, name }: Staged): Packed {
  const [pack] = JSON.parse(output('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], folder)) as Packed[];
  if (pack === undefined || pack.version !== version) stop(`npm packs nothing for ${name} ${version}`);
  return pack;
}

function output(command: string, args: readonly string[], cwd = root): string {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    shell: process.platform === 'win32',
  });
  if (status !== 0) stop(`${command} ${args.join(' ')} failed: ${stderr.trim().slice(-500)}`);
  return stdout.trim();
}

function run(command: string, args: readonly string[], cwd = root): void {
  if (!existsSync(cwd)) stop(`${cwd} is missing`);
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (status !== 0) stop(`${command} ${args.join(' ')} failed`);
}

function doubtless(doubts: readonly string[], what: string): void {
  if (doubts.length > 0) stop(`${what}:\n  ${doubts.join('\n  ')}`);
}

function mega(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

function say(text: string): void {
  console.log(text);
}

function stop(why: string): never {
  console.error(`the release stops: ${why}`);
  process.exit(1);
}
