/** `agoge webarena auto-login`: the original's auto_login.py. Signs in at the official sites and keeps Playwright's states under `.auth`. */
import { Command, Option } from '@commander-js/extra-typings';
import { AgogeError } from '../../../core/error.ts';
import { print, tell } from '../../terminal/print.ts';
import { collect, settingsByEnvironment } from '../../options/settings.ts';

export function autoLogin(): Command {
  const command: Command = new Command('auto-login')
    .alias('auto_login')
    .description('sign in at the official sites anew and keep the states that tasks begin with, as auto_login.py does')
    .option('--site-list <sites...>', 'sites of one state (gitlab reddit), or all: every site and pair (default: all)')
    .option('--auth-folder <folder>', 'where the states go (default: .auth)')
    .option('--set <webarena.key=value>', 'a setting of the environment (repeatable)', collect, [])
    .addOption(new Option('--site_list <sites...>').hideHelp())
    .addOption(new Option('--auth_folder <folder>').hideHelp())
    .addHelpText(
      'after',
      '\nExamples:\n  agoge webarena auto-login     (SHOPPING, REDDIT, … set)\n  agoge webarena auto_login --site_list gitlab reddit --auth_folder .auth\n',
    );
  return command.action(async () => {
    const given = command.opts() as Readonly<Record<string, string[] | string | undefined>>;
    const sites = given['siteList'] ?? given['site_list'] ?? [];
    const folder = given['authFolder'] ?? given['auth_folder'];
    await signIn([sites].flat(), typeof folder === 'string' ? folder : undefined, [given['set'] ?? []].flat());
  });
}

async function signIn(names: readonly string[], folder: string | undefined, set: readonly string[]): Promise<void> {
  const [{ openLogins }, { LOGIN_COMBINATIONS, loginSites }, { officialAddresses }, { readSettings }, { settings }] =
    await Promise.all([
      import('../../../envs/webarena/open.ts'),
      import('../../../envs/webarena/browser/login.ts'),
      import('../../../envs/webarena/tasks/sites.ts'),
      import('../../../envs/settings.ts'),
      import('../../../envs/webarena/settings.ts'),
    ]);
  const all = names.length === 0 || names.includes('all');
  const combinations = all ? LOGIN_COMBINATIONS : [loginSites(names)];
  const given = settingsByEnvironment(set, ['webarena']).get('webarena') ?? {};
  const addresses = officialAddresses(given, process.env);
  if (!addresses) {
    throw new AgogeError(
      'CLI_USAGE_OPTION',
      'no site has an address: set SHOPPING, SHOPPING_ADMIN, REDDIT, GITLAB, WIKIPEDIA, MAP and HOMEPAGE (docs/webarena.md)',
    );
  }
  const chosen = readSettings('webarena', settings, { ...given, ...(folder !== undefined && { auth: folder }) });
  await using logins = await openLogins(chosen, addresses);
  const failed: string[] = [];
  for (const sites of combinations) {
    try {
      print(`ok      ${await logins.renewed(sites)}`);
    } catch (thrown) {
      const { message } = AgogeError.from(thrown, 'ENV_WEBARENA_LOGIN', `signing in at ${sites.join(' and ')} failed`);
      tell(`FAILED  ${sites.join('.')}  ${message}`);
      failed.push(sites.join('.'));
    }
  }
  if (failed.length > 0) {
    throw new AgogeError(
      'ENV_WEBARENA_LOGIN',
      `nobody could sign in for ${failed.join(', ')}: see whether the sites are up (agoge webarena check), then run this again`,
    );
  }
}
