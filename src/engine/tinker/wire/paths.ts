/** `tinker://<run>/weights|sampler_weights/<name>`: how a checkpoint on a server is named. SkyRL leaves the kind of a sampler out. */
import { AgogeError } from '../../../core/error.ts';

export interface CheckpointPath {
  readonly run: string;
  readonly kind: 'weights' | 'sampler_weights';
  readonly name: string;
}

export function formatPath({ run, kind, name }: CheckpointPath): string {
  return `tinker://${run}/${kind}/${name}`;
}

export function parsePath(path: string): CheckpointPath {
  const [, run, kind, name] = /^tinker:\/\/([\w-][\w:.-]*)\/(?:(weights|sampler_weights)\/)?([\w-][\w.-]*)$/.exec(path) ?? [];
  if (run === undefined || name === undefined) {
    throw new AgogeError(
      'ENGINE_TINKER_PATH',
      `"${path}" is no checkpoint of a Tinker server: give tinker://<run>/weights/<name> or tinker://<run>/sampler_weights/<name>`,
    );
  }
  return { run, kind: kind === 'weights' ? 'weights' : 'sampler_weights', name };
}
