// The library of ONNX Runtime for this machine in dist/native, with its licence, so that dist/ and a file made by `npm pack` run by themselves.
// The package onnxruntime-node would bring the same file together with an install script that fetches CUDA libraries from elsewhere.
// A release has one package per platform instead: scripts/release/stage.ts.
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = join(
  dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json')),
  'bin/napi-v6',
  process.platform,
  process.arch,
);
const native = fileURLToPath(new URL('../dist/native', import.meta.url));
const target = join(native, process.platform, process.arch);
const library = /^(libonnxruntime\.so\.1|libonnxruntime\.1\.dylib|onnxruntime\.dll)$/;

mkdirSync(target, { recursive: true });
// A platform that ONNX Runtime is not built for has environments and endpoints all the same.
for (const name of existsSync(source) ? readdirSync(source).filter((each) => library.test(each)) : []) {
  if (existsSync(join(target, name))) continue;
  try {
    // A link where the file system has them: the library is large, and a build should cost no copy of it.
    linkSync(join(source, name), join(target, name));
  } catch {
    cpSync(join(source, name), join(target, name));
  }
}
cpSync(fileURLToPath(new URL('release/LICENSE-onnxruntime.txt', import.meta.url)), join(native, 'LICENSE-onnxruntime.txt'));
