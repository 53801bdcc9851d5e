/** Tasks at the repository host. */
import { people, self } from '../content/people.ts';
import { issues, mergeRequests, projectPath, projects, roles, type Issue, type Project } from '../content/projects.ts';
import type { PlanStep, Template } from './template.ts';
import { answered, answeredExactly, atUrl, enter, fill, link, push, shows, stop, tick } from './template.ts';

const GIT = '__GITLAB__';
const sites = ['gitlab'] as const;

const openIn = (project: Project): number => issues.filter((one) => one.project === projectPath(project) && one.open).length;
const mergesIn = (project: Project): number =>
  mergeRequests.filter((one) => one.project === projectPath(project) && one.state === 'open').length;

export const toProject = (project: Project): readonly PlanStep[] => [
  enter('Search projects', project.name),
  link(projectPath(project)),
];
const tab = (project: Project): string => `Issues (${String(openIn(project))})`;
const toIssues = (project: Project): readonly PlanStep[] => [...toProject(project), link(tab(project))];

function home({ project }: { readonly project: string }): Project {
  const found = projects.find((one) => projectPath(one) === project);
  if (!found) throw new RangeError(`there is no project ${project}`);
  return found;
}

const toIssue = (issue: Issue): readonly PlanStep[] => [
  ...toIssues(home(issue)),
  ...(issue.open ? [] : [link('closed')]),
  link(issue.title),
];
const issueUrl = ({ project, number }: Issue): string => `${GIT}/${project}/issues/${String(number)}`;
const remarks = [
  'I can look at it on Friday.',
  'This also happens on my machine.',
  'Thank you for the report.',
  'Please add an example.',
];
const reports: readonly (readonly [string, string])[] = [
  ['The manual has a broken link', 'docs'],
  ['It is slow on large input', 'bug'],
  ['Add a quiet mode', 'feature'],
  ['Can I use it offline?', 'question'],
];
const newNames = [
  'sea-shanties',
  'kettle-timer',
  'bus-stops',
  'moon-phases',
  'bread-diary',
  'knot-cards',
  'harbour-cam',
  'rain-gauge',
];

export const gitTemplates: readonly Template[] = [
  {
    name: 'stars',
    sites,
    intent: 'How many stars does the project {{project}} have?',
    instances: () =>
      projects
        .filter((one) => projectPath(one) !== 'felix/pebble')
        .map((one) => ({
          values: { project: projectPath(one) },
          evaluation: answered(String(one.stars)),
          plan: [enter('Search projects', one.name), stop(String(one.stars))],
        })),
  },
  {
    name: 'open-issues',
    sites,
    intent: 'How many open issues does the project {{project}} have?',
    instances: () =>
      projects.map((one) => ({
        values: { project: projectPath(one) },
        evaluation: answeredExactly(String(openIn(one))),
        plan: [...toProject(one), stop(String(openIn(one)))],
      })),
  },
  {
    name: 'licence',
    sites,
    intent: 'Under which licence is {{project}} published?',
    unseen: true,
    instances: () =>
      projects.map((one) => ({
        values: { project: projectPath(one) },
        evaluation: answered(one.licence),
        plan: [...toProject(one), stop(one.licence)],
      })),
  },
  {
    name: 'last-commit',
    sites,
    intent: 'Who made the latest commit to {{project}}?',
    instances: () =>
      projects.map((one) => ({
        values: { project: projectPath(one) },
        evaluation: answeredExactly(one.commits[0]?.author ?? ''),
        plan: [...toProject(one), link('Commits'), stop(one.commits[0]?.author)],
      })),
  },
  {
    name: 'issue-author',
    sites,
    intent: 'Who opened the issue "{{title}}" in {{project}}?',
    instances: () =>
      issues.map((issue) => ({
        values: { title: issue.title, project: issue.project },
        evaluation: answeredExactly(issue.author),
        plan: [...toIssues(home(issue)), ...(issue.open ? [] : [link('closed')]), stop(issue.author)],
      })),
  },
  {
    name: 'member-role',
    sites,
    intent: 'What is the role of {{user}} in {{project}}?',
    instances: () =>
      projects.flatMap((one) =>
        one.members.slice(1).map(({ user, role }) => ({
          values: { user, project: projectPath(one) },
          evaluation: answered(role),
          plan: [...toProject(one), link('Members'), stop(role)],
        })),
      ),
  },
  {
    name: 'open-label',
    sites,
    intent: 'List the open issues of {{project}} with the label {{label}}.',
    instances: () =>
      projects.flatMap((one) =>
        ['bug', 'feature', 'docs'].map((label) => ({
          values: { project: projectPath(one), label },
          evaluation: atUrl(`${GIT}/${projectPath(one)}/issues?label=${label}`),
          plan: [...toIssues(one), link(label), stop()],
        })),
      ),
  },
  {
    name: 'open-merges',
    sites,
    intent: 'Show me the merged merge requests of {{project}}.',
    unseen: true,
    instances: () =>
      projects.map((one) => ({
        values: { project: projectPath(one) },
        evaluation: atUrl(`${GIT}/${projectPath(one)}/merge_requests?state=merged`),
        plan: [...toProject(one), link(`Merge requests (${String(mergesIn(one))})`), link('merged'), stop()],
      })),
  },
  {
    name: 'star',
    sites,
    intent: 'Star the project {{project}}.',
    instances: () =>
      projects
        .filter((one) => projectPath(one) !== 'felix/pebble')
        .map((one) => ({
          values: { project: projectPath(one) },
          evaluation: shows({ url: `${GIT}/${projectPath(one)}`, selector: 'main .act button', exactly: 'Unstar' }),
          plan: [...toProject(one), push('Star'), stop()],
        })),
  },
  {
    name: 'close-issue',
    sites,
    intent: 'Close the issue "{{title}}" of {{project}}.',
    instances: () =>
      issues
        .filter(({ open }) => open)
        .map((issue) => ({
          values: { title: issue.title, project: issue.project },
          evaluation: shows({ url: issueUrl(issue), selector: '.facts', includes: ['closed'] }),
          plan: [...toIssue(issue), push('Close issue'), stop()],
        })),
  },
  {
    name: 'reopen-issue',
    sites,
    intent: 'The issue "{{title}}" of {{project}} is back. Reopen it.',
    unseen: true,
    instances: () =>
      issues
        .filter(({ open }) => !open)
        .map((issue) => ({
          values: { title: issue.title, project: issue.project },
          evaluation: shows({ url: issueUrl(issue), selector: '.actions button', exactly: 'Close issue' }),
          plan: [...toIssue(issue), push('Reopen issue'), stop()],
        })),
  },
  {
    name: 'assign',
    sites,
    intent: 'Assign the issue "{{title}}" of {{project}} to me.',
    instances: () =>
      issues
        .filter(({ open, assignee }) => open && assignee !== self)
        .map((issue) => ({
          values: { title: issue.title, project: issue.project },
          evaluation: shows({ url: issueUrl(issue), selector: '.facts', includes: [self] }),
          plan: [...toIssue(issue), push('Assign to me'), stop()],
        })),
  },
  {
    name: 'comment-issue',
    sites,
    intent: 'Comment "{{text}}" on the issue "{{title}}" of {{project}}.',
    instances: () =>
      issues.map((issue, at) => {
        const text = remarks[at % remarks.length] ?? '';
        return {
          values: { title: issue.title, project: issue.project, text },
          evaluation: shows({ url: issueUrl(issue), selector: '.comments', includes: [text] }),
          plan: [...toIssue(issue), fill('Comment', text), push('Comment'), stop()],
        };
      }),
  },
  {
    name: 'new-issue',
    sites,
    intent: 'Report the issue "{{title}}" in {{project}} with the label {{label}}.',
    instances: () =>
      projects.flatMap((one) =>
        reports.map(([title, label]) => {
          const number =
            Math.max(0, ...issues.filter((issue) => issue.project === projectPath(one)).map((issue) => issue.number)) + 1;
          return {
            values: { title, project: projectPath(one), label },
            evaluation: shows({
              url: `${GIT}/${projectPath(one)}/issues/${String(number)}`,
              selector: 'main',
              includes: [title, label],
            }),
            plan: [
              ...toIssues(one),
              link('New issue'),
              fill('Title', title),
              ...(label === 'bug' ? [] : [tick('radio', label)]),
              push('Create issue'),
              stop(),
            ],
          };
        }),
      ),
  },
  {
    name: 'invite',
    sites,
    intent: 'Invite {{user}} to my project {{project}} as {{role}}.',
    instances: () =>
      projects
        .filter(({ owner }) => owner === self)
        .flatMap((one) =>
          people
            .filter(({ id }) => !one.members.some(({ user }) => user === id))
            .map(({ id }, at) => {
              const role = roles[1 + (at % 4)] ?? 'Guest';
              return {
                values: { user: id, project: one.name, role },
                evaluation: shows({
                  url: `${GIT}/${projectPath(one)}/members`,
                  selector: 'main table tbody',
                  includes: [id, role],
                }),
                plan: [
                  ...toProject(one),
                  link('Members'),
                  fill('User name', id),
                  ...(role === 'Developer' ? [] : [tick('radio', role)]),
                  push('Invite'),
                  stop(),
                ],
              };
            }),
        ),
  },
  {
    name: 'merge',
    sites,
    intent: 'Merge the request "{{title}}" of my project {{project}}.',
    instances: () =>
      mergeRequests
        .filter((one) => one.state === 'open' && home(one).owner === self)
        .map((one) => ({
          values: { title: one.title, project: home(one).name },
          evaluation: shows({
            url: `${GIT}/${one.project}/merge_requests/${String(one.number)}`,
            selector: '.facts',
            includes: ['merged'],
          }),
          plan: [
            ...toProject(home(one)),
            link(`Merge requests (${String(mergesIn(home(one)))})`),
            link(one.title),
            push('Merge'),
            stop(),
          ],
        })),
  },
  {
    name: 'new-project',
    sites,
    intent: 'Create a project called {{name}} with the licence {{licence}}.',
    instances: () =>
      newNames.map((name, at) => {
        const licence = ['MIT', 'Apache-2.0', 'GPL-3.0'][at % 3] ?? 'MIT';
        return {
          values: { name, licence },
          evaluation: shows(
            { url: `${GIT}/${self}/${name}`, selector: 'h1', exactly: name },
            { url: `${GIT}/${self}/${name}`, selector: '.facts', includes: [licence] },
          ),
          plan: [
            link('New project'),
            fill('Project name', name),
            ...(licence === 'MIT' ? [] : [tick('radio', licence)]),
            push('Create project'),
            stop(),
          ],
        };
      }),
  },
];
