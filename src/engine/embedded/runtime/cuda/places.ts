/**
 * Where the libraries of a card may lie: a path in the environment, Python environments, the folder that `agoge gpu install` fills,
 * the system's own folders. Nothing is loaded here.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Places {
  /** What AGOGE_ONNXRUNTIME names: a folder, or the library itself. */
  readonly given: string | undefined;
  /** Folders `site-packages` of Python environments. */
  readonly python: readonly string[];
  /** What `agoge gpu install` fills: laid out as a `site-packages`. */
  readonly installed: string;
  /** Where else the system keeps shared libraries. */
  readonly system: readonly string[];
}

/** The places of this machine. Python is asked only where one is on the PATH. */
export function placesHere(environment: Environment = process.env): Places {
  const given = environment['AGOGE_ONNXRUNTIME'];
  return {
    given: given === undefined || given === '' ? undefined : resolve(given),
    python: pythonFolders(environment),
    installed: installFolder(environment),
    system: [
      ...(environment['LD_LIBRARY_PATH'] ?? '').split(delimiter).filter((folder) => folder !== ''),
      '/usr/local/cuda/lib64',
      '/usr/lib/x86_64-linux-gnu',
      '/usr/lib64',
    ],
  };
}

/** The one folder that `agoge gpu install` writes to. */
function installFolder(environment: Environment = process.env): string {
  return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'agoge', 'gpu');
}

/** Folders with CUDA's libraries in a `site-packages`: `nvidia/cu13/lib`, `nvidia/cudnn/lib`, … */
export function nvidiaFolders(sitePackages: string): string[] {
  const root = join(sitePackages, 'nvidia');
  return namesIn(root)
    .map((name) => join(root, name, 'lib'))
    .filter((folder) => existsSync(folder));
}

/** The folder of a library that was named by itself. */
export function folderOf(path: string): string {
  return existsSync(path) && statSync(path).isFile() ? dirname(path) : path;
}

export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** The environment that is active, one in this folder, and what `python3` on the PATH sees. */
function pythonFolders(environment: Environment): string[] {
  const roots = [environment['VIRTUAL_ENV'], environment['CONDA_PREFIX'], resolve('.venv')];
  const named = roots
    .filter((root) => root !== undefined)
    .flatMap((root) => namesIn(join(root, 'lib')).map((name) => join(root, 'lib', name, 'site-packages')));
  const asked = spawnSync('python3', ['-c', "import sys; print('\\n'.join(p for p in sys.path if p.endswith('-packages')))"], {
    encoding: 'utf8',
    timeout: 10_000,
    env: environment,
  });
  const answered = asked.status === 0 ? asked.stdout.split('\n') : [];
  return [...new Set([...named, ...answered.map((line) => line.trim())])].filter((path) => path !== '' && existsSync(path));
}
