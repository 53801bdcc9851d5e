// The libraries of ONNX Runtime in dist/native: one shared library per platform, and its licence. The package onnxruntime-node would
// bring the same files together with an install script that fetches CUDA libraries from elsewhere. A build has the one of this machine,
// so that dist/ runs by itself; `npm pack` (prepack) adds the others, and takes them away again (postpack, --own).
import { cpSync, existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const target = fileURLToPath(new URL('../dist/native', import.meta.url));
const source = dirname(createRequire(import.meta.url).resolve('onnxruntime-node/package.json'));
const files = [
  ['linux', 'x64', 'libonnxruntime.so.1'],
  ['linux', 'arm64', 'libonnxruntime.so.1'],
  ['darwin', 'arm64', 'libonnxruntime.1.dylib'],
  ['win32', 'x64', 'onnxruntime.dll'],
  ['win32', 'arm64', 'onnxruntime.dll'],
];
const licence = `The libraries in this folder are ONNX Runtime, unchanged, from the npm package onnxruntime-node
(https://github.com/microsoft/onnxruntime; notices of third parties: ThirdPartyNotices.txt there).

MIT License

Copyright (c) Microsoft Corporation

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE,
ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
`;

const own = ([platform, arch]) => platform === process.platform && arch === process.arch;
// A link where the file system has them: the library is large, and a build should cost no copy of it.
const place = (from, to) => {
  try {
    linkSync(from, to);
  } catch {
    cpSync(from, to);
  }
};

// The library of this machine is never taken away, so that what runs meanwhile can go on.
for (const entry of files) {
  const to = join(target, ...entry);
  if (process.argv.includes('--own') && !own(entry)) rmSync(dirname(to), { recursive: true, force: true });
  else if (!existsSync(to)) {
    mkdirSync(dirname(to), { recursive: true });
    place(join(source, 'bin/napi-v6', ...entry), to);
  }
}
mkdirSync(target, { recursive: true });
writeFileSync(join(target, 'LICENSE-onnxruntime.txt'), licence);
