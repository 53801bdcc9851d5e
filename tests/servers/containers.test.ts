/**
 * The image, built by buildah from the Containerfile as it is, then run by podman without root on a read-only file system; and the farm of
 * compose.yaml behind its door. Needs Debian's packages buildah, podman, mmdebstrap and, for the farm, podman-compose and iptables; it is
 * skipped where one is missing. No registry of images is asked: the base is made of Debian's own packages and of Node's from npm. Images
 * and settings lie in folders of the test's own. Minutes of work, so CI does not run it: npm run test:containers.
 */
import { execFileSync, spawnSync, type ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import '../../src/envs/builtin.ts';
import { environmentEntries } from '../../src/envs/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cli = join(root, 'dist/cli/main.js');
const has = (command: string): boolean => spawnSync(command, ['--version']).status === 0;
const wanted = ['buildah', 'podman', 'mmdebstrap'];
const missing = wanted.filter((command) => !has(command));
const folder = mkdtempSync(join(tmpdir(), 'agoge-containers-'));
const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'agoge-peers', 'debian-bookworm');
const node = '24.21.0';

/** Where images lie and how containers are run, instead of the user's own settings. */
const env: NodeJS.ProcessEnv = {
  ...process.env,
  CONTAINERS_CONF: join(folder, 'containers.conf'),
  CONTAINERS_STORAGE_CONF: join(folder, 'storage.conf'),
  AGOGE_GYM_TOKEN: 'secret',
};
const options: ExecFileSyncOptionsWithStringEncoding = { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'inherit'] };
const tool = (command: string, ...args: string[]): string => execFileSync(command, args, options);
const confined = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'all', '--security-opt', 'no-new-privileges'];
/** One command in a container that may do nothing and reach nobody. */
const inside = (...args: string[]): string => tool('podman', 'run', '--rm', ...confined, '--network', 'none', ...args);

/** Settings for a run-time that works here: crun does not on every kernel, and limits may not be raised without the right to. */
function settle(runtime: string): void {
  const limits = ['nofile=1024:1024', 'nproc=4096:4096'].map((limit) => `"${limit}"`).join(', ');
  const network = existsSync('/usr/lib/podman/netavark') ? '[network]\nnetwork_backend = "netavark"\n' : '';
  writeFileSync(
    join(folder, 'containers.conf'),
    `[containers]\ndefault_ulimits = [${limits}]\n[engine]\nruntime = "${runtime}"\ncgroup_manager = "cgroupfs"\nevents_logger = "file"\n${network}`,
  );
  const store = `driver = "overlay"\ngraphroot = "${join(folder, 'images')}"\nrunroot = "${join(folder, 'state')}"\n`;
  writeFileSync(join(folder, 'storage.conf'), `[storage]\n${store}`);
}

/** node:24-slim under its own name, made of Debian's packages; the tar of Debian is kept. */
function makeBase(): void {
  mkdirSync(cache, { recursive: true });
  const tar = join(cache, 'base.tar');
  if (!existsSync(tar)) {
    tool('mmdebstrap', '--quiet', '--variant=minbase', '--include=ca-certificates,libstdc++6', 'bookworm', `${tar}.new.tar`);
    renameSync(`${tar}.new.tar`, tar);
  }
  const context = join(folder, 'base');
  mkdirSync(context);
  const platform = `linux-${process.arch}`;
  for (const [name, version] of [
    [`node-${platform}`, node],
    ['npm', '11.6.2'],
  ] as const) {
    execFileSync('npm', ['pack', '--silent', `${name}@${version}`], { ...options, cwd: context });
    const unpacked = join(context, name.split('-')[0] ?? name);
    mkdirSync(unpacked);
    tool('tar', 'xzf', join(context, `${name}-${version}.tgz`), '-C', unpacked, '--strip-components=1');
  }
  cpSync(tar, join(context, 'base.tar'));
  // Whom this machine trusts: registries are often reached through a proxy with a certificate of its own.
  const trusted = process.env['NODE_EXTRA_CA_CERTS'] ?? '/etc/ssl/certs/ca-certificates.crt';
  cpSync(trusted, join(context, 'ca.crt'));
  writeFileSync(
    join(context, 'Containerfile'),
    [
      'FROM scratch',
      'ADD base.tar /',
      'COPY node/bin/node /usr/local/bin/node',
      'COPY npm /usr/local/lib/node_modules/npm',
      'COPY ca.crt /etc/ssl/certs/ca-certificates.crt',
      'RUN ln -s ../lib/node_modules/npm/bin/npm-cli.js /usr/local/bin/npm && useradd --uid 1000 --create-home node',
      'ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt',
    ].join('\n'),
  );
  build('docker.io/library/node:24-slim', join(context, 'Containerfile'), context);
}

/** Steps of a build are run in a chroot, which asks for the fewest rights, in the network of this machine. */
function build(name: string, file: string, context: string): void {
  // Images of OCI's own format have no health check.
  const how = ['--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull-never', '--quiet'];
  tool('buildah', 'bud', ...how, '-f', file, '-t', name, context);
}

/** Why containers cannot be run here, or undefined where they can; the run-time that can stays set. */
function unable(): string | undefined {
  if (missing.length > 0) return `${missing.join(', ')} not installed`;
  settle('crun');
  try {
    makeBase();
  } catch (thrown) {
    return `no base image: ${String(thrown)}`;
  }
  const works = ['crun', 'runc'].find((runtime) => {
    settle(runtime);
    const tried = ['run', '--rm', '--network', 'none', 'docker.io/library/node:24-slim', 'true'];
    return spawnSync('podman', tried, { env }).status === 0;
  });
  return works === undefined ? 'neither crun nor runc starts a container here' : undefined;
}

const problem = unable();
if (problem !== undefined) console.log(`skipped: ${problem}`);
afterAll(() => {
  if (missing.length === 0) spawnSync('podman', ['rm', '--all', '--force', '--time', '1'], { env });
  if (missing.length === 0) spawnSync('podman', ['rmi', '--all', '--force'], { env });
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(problem !== undefined)('the image', () => {
  beforeAll(() => {
    build('agoge', join(root, 'containers/Containerfile'), root);
  });

  it('says its version, and is neither root nor able to become it', () => {
    expect(inside('agoge', '--version').trim()).toMatch(/^\d+\.\d+\.\d+$/);
    const status = inside('--entrypoint', 'sh', 'agoge', '-c', 'id -u; grep -E "CapEff|NoNewPrivs" /proc/self/status');
    expect(status).toMatch(/^1000\nCapEff:\s+0+\nNoNewPrivs:\s+1\n$/);
  });

  it('writes to /work and /tmp alone, and has no npm', () => {
    const places = ['/app', '/app/node_modules/agoge', '/etc', '/usr/local/bin', '/work', '/tmp'];
    const script = `for p in ${places.join(' ')}; do touch $p/x 2>/dev/null && echo $p; done; command -v npm; true`;
    expect(inside('--entrypoint', 'sh', 'agoge', '-c', script)).toBe('/work\n/tmp\n');
  });

  it('evaluates and trains without a network, and the run lies in the mounted folder', () => {
    expect(inside('agoge', 'eval', 'textcraft', '-p', 'base', '--tasks', '0-2', '--json')).toContain('"success"');
    const runs = join(folder, 'runs');
    mkdirSync(runs, { mode: 0o777 });
    spawnSync('chmod', ['777', runs]);
    const small = [
      'steps=1',
      'rollout.groups=2',
      'rollout.samples=2',
      'evaluate.at_start=false',
      'evaluate.at_end=false',
      'evaluate.every=0',
      'run=tried',
    ];
    inside('-v', `${runs}:/work`, 'agoge', 'train', 'textcraft-grpo', ...small);
    expect(readdirSync(join(runs, 'outputs/tried/metrics'))).toContain('training_metrics.jsonl');
  });

  it('serves an environment that is healthy', () => {
    const [name, port] = ['agoge-serve', '36123'];
    const network = ['--network', 'host', '-e', 'AGOGE_GYM_TOKEN', '-e', `AGOGE_PORT=${port}`];
    tool('podman', 'run', '-d', '--name', name, ...confined, ...network, 'agoge', 'serve', 'textcraft', '--port', port);
    while (spawnSync('podman', ['healthcheck', 'run', name], { env }).status !== 0) {
      expect(tool('podman', 'inspect', '--format', '{{.State.Status}}', name).trim()).toBe('running');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
    expect(play(`textcraft@http://agoge:secret@127.0.0.1:${port}`)).toBe(3);
    tool('podman', 'rm', '--force', '--time', '1', name);
  });
});

const compose = has('podman-compose') && spawnSync('iptables', ['-S'], { env }).status === 0;
if (problem === undefined && !compose) console.log('skipped: the farm needs podman-compose, and iptables that work');
describe.skipIf(problem !== undefined || !compose)('the farm', () => {
  const farm = (...args: string[]): string =>
    tool('podman-compose', '-p', 'agoge-farm', '-f', join(root, 'containers/compose.yaml'), ...args);
  const url = (name: string): string => `http://agoge:secret@127.0.0.1:8000/${name}`;
  const services = readFileSync(join(root, 'containers/compose.yaml'), 'utf8');
  const served = [...services.matchAll(/^ {2}(\w+): .*\[serve, \1,/gm)].map(([, name]) => name ?? '');
  afterAll(() => farm('down'));

  it('plays every environment through one door, and one that was killed and started again', () => {
    farm('up', '-d', '--no-build');
    expect(served.toSorted()).toEqual(
      environmentEntries()
        .map(({ name }) => name)
        .toSorted(),
    );
    const all = tool('podman', 'ps', '--format', '{{.Names}}').trim().split('\n');
    expect(all).toHaveLength(served.length + 1); // and the door
    for (const name of served) expect(play(`${name}@${url(name)}`), name).toBe(3);
    const id = all.find((name) => name.includes('textcraft')) ?? '';
    tool('podman', 'kill', id);
    tool('podman', 'start', id);
    expect(play(`textcraft@${url('textcraft')}`)).toBe(3);
  });
});

/** How many of three tasks were played to an end on a server. */
function play(environment: string): number {
  const out = mkdtempSync(join(folder, 'eval-'));
  const what = ['eval', environment, '--policy', 'random', '--tasks', '0-2', '--max-turns', '3', '--fresh', '--out', out];
  const said = execFileSync(process.execPath, [cli, ...what, '--server', 'wait=600', '--json'], options);
  return (JSON.parse(said) as { scores: { scored: number }[] }).scores[0]?.scored ?? NaN;
}
