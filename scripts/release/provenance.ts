/**
 * Where the packages of a release come from: a statement of SLSA's shape (in-toto, v1) with the hash of every packed file, the commit and
 * the lock file. It is not signed: npm's own statement, made in CI, is. It lets anybody hold what a registry has to a build of the commit.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Packed } from './check.ts';

export interface Source {
  readonly root: string;
  readonly commit: string;
  /** Are there changes that no commit has? */
  readonly dirty: boolean;
  readonly npm: string;
}

/** The statement, as it is written beside the packages. */
export function provenance(packs: readonly Packed[], { root, commit, dirty, npm }: Source): object {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: packs.map(({ name, version, integrity }) => ({
      name: `pkg:npm/${name.replace('@', '%40')}@${version}`,
      digest: { sha512: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') },
    })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: 'npm run release',
        externalParameters: { uncommittedChanges: dirty },
        resolvedDependencies: [
          { uri: 'git', digest: { gitCommit: commit } },
          { uri: 'package-lock.json', digest: { sha256: lock } },
        ],
      },
      runDetails: {
        builder: { id: 'scripts/release.ts', version: { node: process.versions.node, npm } },
        metadata: { platform: `${process.platform} ${process.arch}` },
      },
    },
  };
}
