/**
 * A machine with an arm64 processor, emulated: qemu and the C and C++ libraries of Debian 13, unpacked into a folder without installing
 * them. Version 7.2, which Debian 12 has, crashes in ONNX Runtime, so the machine's own qemu is not asked.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** The words before an arm64 program; or why there are none. */
export async function arm64Emulator(folder: string): Promise<readonly string[] | { readonly missing: string }> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return { missing: 'emulated on Linux x64 alone' };
  try {
    return await unpacked(folder);
  } catch (thrown) {
    return { missing: `qemu cannot be had here: ${thrown instanceof Error ? thrown.message : String(thrown)}` };
  }
}

async function unpacked(folder: string): Promise<readonly string[]> {
  const [lists, archives, system] = ['state/lists/partial', 'cache/archives/partial', 'system'].map((name) => join(folder, name));
  for (const each of [lists, archives, system]) mkdirSync(each ?? '', { recursive: true });
  // From wherever this machine has its packages, with lists of its own.
  const targets = await execute('apt-get', ['indextargets', '--format', '$(REPO_URI)', 'Created-By: Packages']);
  const from = targets.stdout.split('\n').find((line) => /\/debian\/?$/.test(line));
  if (from === undefined) throw new Error('the packages of this machine are not those of Debian');
  writeFileSync(
    join(folder, 'sources.list'),
    `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${from} trixie main\n`,
  );
  writeFileSync(join(folder, 'status'), '');
  writeFileSync(
    join(folder, 'apt.conf'),
    `Dir::State "${folder}/state"; Dir::Cache "${folder}/cache"; Dir::State::status "${folder}/status";
Dir::Etc::sourcelist "${folder}/sources.list"; Dir::Etc::sourceparts "-";
APT::Architectures { "amd64"; "arm64"; }; APT::Sandbox::User ""; Acquire::Languages "none";\n`,
  );
  const options = { cwd: archives, env: { ...process.env, APT_CONFIG: join(folder, 'apt.conf') } };
  await execute('apt-get', ['-q', 'update'], options);
  const libraries = ['libc6', 'libstdc++6', 'libgcc-s1'].map((name) => `${name}:arm64`);
  await execute('apt-get', ['-q', 'download', 'qemu-user', ...libraries], options);
  await execute('sh', ['-c', 'for each in *.deb; do dpkg -x "$each" "$1" || exit 1; done', 'sh', system ?? ''], options);
  symlinkSync('usr/lib', join(system ?? '', 'lib'));
  // A processor without long vectors: these are emulated step by step, and take four times as long.
  return [join(system ?? '', 'usr/bin/qemu-aarch64'), '-cpu', 'neoverse-n1', '-L', system ?? ''];
}
