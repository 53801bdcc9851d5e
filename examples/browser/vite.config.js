// npx vite examples/browser: the page reads the base policy from models/, which lies beside examples/.
export default { server: { fs: { allow: ['../..'] } }, build: { target: 'es2022' }, worker: { format: 'es' } };
