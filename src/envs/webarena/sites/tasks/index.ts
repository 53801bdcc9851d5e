/**
 * The tasks of the shipped sites, in the official schema. Templates decide the split: those that are kept unseen make `unseen`, of the
 * others every fourth instance is `test` and the rest `train`. Ids begin at 10000, beyond the official ones.
 */
import { Random } from '../../../../core/random/random.ts';
import { fillAddresses, type Site, type SiteAddresses } from '../../tasks/sites.ts';
import type { WebTask } from '../../tasks/task.ts';
import { adminTemplates } from './admin.ts';
import { actionOn } from './expert.ts';
import { forumTemplates } from './forum.ts';
import { gitTemplates } from './git.ts';
import { lookupTemplates } from './lookup.ts';
import { pairTemplates } from './pairs.ts';
import { shopTemplates } from './shop.ts';
import { referenceIds } from './reference-ids.ts';
import type { Instance, PlanStep, Template } from './template.ts';

export const FIRST_ID = 10_000;
export const siteSplits = ['train', 'test', 'unseen'] as const;
export type SiteSplit = (typeof siteSplits)[number];

export interface SiteTask {
  readonly id: number;
  readonly template: Template;
  readonly templateId: number;
  /** Its place among the instances of its template. */
  readonly at: number;
  readonly instance: Instance;
  readonly split: SiteSplit;
}

export const templates: readonly Template[] = [
  ...shopTemplates,
  ...adminTemplates,
  ...forumTemplates,
  ...gitTemplates,
  ...lookupTemplates,
  ...pairTemplates,
];

const MOST_INSTANCES = 40;

function enumerate(): SiteTask[] {
  const all = templates.flatMap((template, templateId) => {
    const random = Random.of(21, 'instances', template.name, template.sites.join());
    return random
      .shuffle(template.instances())
      .slice(0, MOST_INSTANCES)
      .map((instance, at) => {
        const split: SiteSplit = template.unseen ? 'unseen' : at % 4 === 3 ? 'test' : 'train';
        return { template, templateId, at, instance, split };
      });
  });
  return all.map((task, at) => ({ ...task, id: FIRST_ID + at }));
}

let made: readonly SiteTask[] | undefined;

export function siteTasks(): readonly SiteTask[] {
  made ??= enumerate();
  return made;
}

/** The tasks of a split, templates mixed, in an order that never changes. */
export function tasksOf(split: SiteSplit): readonly SiteTask[] {
  return Random.of(21, 'order', split).shuffle(siteTasks().filter((task) => task.split === split));
}

/** A task as the official files have it; with addresses, its placeholders are filled in. */
export function webTask(one: SiteTask, addresses?: SiteAddresses): WebTask {
  const { id, template, templateId, instance } = one;
  const intent = template.intent.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(instance.values[name] ?? ''));
  const task = {
    sites: [...template.sites],
    task_id: id,
    require_login: template.sites.some((site) => site !== 'map' && site !== 'wikipedia'),
    storage_state: `./.auth/${storageName(template.sites)}_state.json`,
    start_url: startOf(template.sites),
    geolocation: null,
    intent_template: template.intent,
    instantiation_dict: instance.values,
    intent,
    require_reset: false,
    eval: { ...instance.evaluation, reference_url: instance.evaluation.reference_url ?? '' },
    intent_template_id: templateId,
    reference_action_sequence: { action_set_tag: 'id_accessibility_tree' as const, action_sequence: referenceActions(one) },
  };
  return addresses ? (JSON.parse(fillAddresses(JSON.stringify(task), addresses)) as WebTask) : task;
}

/** Steps that the expert plays; addresses of sites in them are filled in. */
export function planOf({ instance }: SiteTask, addresses: SiteAddresses): readonly PlanStep[] {
  return JSON.parse(fillAddresses(JSON.stringify(instance.plan), addresses)) as readonly PlanStep[];
}

/** The plan as actions on pages told as `plain`, whose numbers are the same on every machine. */
function referenceActions({ instance, templateId, at }: SiteTask): string[] {
  const ids = referenceIds[templateId]?.split(' ')[at]?.split('.') ?? [];
  return instance.plan.map((step) => (step.do === 'say' ? step.action : actionOn(step, ids.shift() ?? '')));
}

function startOf(sites: readonly Site[]): string {
  return sites.length > 1 ? '__HOMEPAGE__' : `__${(sites[0] ?? 'homepage').toUpperCase()}__`;
}

function storageName(sites: readonly Site[]): string {
  return [...sites].sort().join('.');
}
