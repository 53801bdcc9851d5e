/**
 * Proxies as every tool takes them (`HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`), for endpoints and the hub. This machine is never
 * asked through one.
 */
export async function useProxies(environment: NodeJS.ProcessEnv = process.env): Promise<void> {
  const named = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const [httpProxy, httpsProxy] = [named('HTTP_PROXY'), named('HTTPS_PROXY')];
  if (httpProxy === '' && httpsProxy === '') return;
  const { EnvHttpProxyAgent, setGlobalDispatcher } = await import('undici');
  const noProxy = [named('NO_PROXY'), 'localhost', '127.0.0.1', '::1'].filter(Boolean).join(',');
  setGlobalDispatcher(
    new EnvHttpProxyAgent({ httpProxy: httpProxy || httpsProxy, httpsProxy: httpsProxy || httpProxy, noProxy }),
  );
}
