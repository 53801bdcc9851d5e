// The software bill of materials: every package of the product with version, licence and hash (npm sbom, CycloneDX), and the native libraries
// below a folder with their SHA-256, which npm knows nothing of. Usage: npm run sbom [-- file [folder, by default dist/native]]
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const [file = 'agoge.sbom.json', native = join(root, 'dist', 'native')] = process.argv.slice(2);
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
// Not --omit dev: npm then leaves out packages of the product that are also peers of a development one (yaml, zod).
const args = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'];
const bill = JSON.parse(
  execFileSync(npm, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'inherit'] }),
);

// Built into the dashboard (scripts/release/licences.ts): development for a clone, part of the product for everybody else.
const bundled = ['preact', 'uplot'];
const isDevelopment = ({ name, properties = [] }) =>
  !bundled.includes(name) && properties.some(({ name, value }) => name === 'cdx:npm:package:development' && value === 'true');
bill.components = bill.components.filter((component) => !isDevelopment(component));
const refs = new Set([bill.metadata.component['bom-ref'], ...bill.components.map((component) => component['bom-ref'])]);
bill.dependencies = bill.dependencies
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((each) => refs.has(each)) }));

const { version } = createRequire(import.meta.url)('onnxruntime-node/package.json');
const libraries = existsSync(native)
  ? readdirSync(native, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  : [];
for (const { parentPath, name } of libraries.filter((entry) => /\.(so|dylib|dll)/.test(entry.name))) {
  const path = join(parentPath, name);
  bill.components.push({
    type: 'library',
    name: `onnxruntime ${path.slice(native.length + 1).replaceAll('\\', '/')}`,
    version,
    purl: `pkg:npm/onnxruntime-node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
    hashes: [{ alg: 'SHA-256', content: createHash('sha256').update(readFileSync(path)).digest('hex') }],
  });
}
writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
console.log(`${file}: ${bill.components.length} components`);
