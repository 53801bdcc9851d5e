"""The original WebArena on what Node asks: pages, actions, evaluations, prompts, replies. One JSON in, one JSON out."""
import json
import os
import sys
import tempfile
import types
from pathlib import Path

checkout = sys.argv[1]
asked = json.load(sys.stdin)
for name, value in asked["sites"].items():
    os.environ[name.upper()] = value
os.environ.setdefault("OPENAI_API_KEY", "none")
os.chdir(tempfile.mkdtemp())
sys.path.insert(0, checkout)

# Only a tokenizer is imported from it, and none is used.
sys.modules["transformers"] = types.ModuleType("transformers")
sys.modules["transformers"].LlamaTokenizer = None

import nltk.tokenize  # noqa: E402

# The model that finds sentences cannot be downloaded everywhere; single sentences need none.
nltk.tokenize.word_tokenize = lambda text: nltk.tokenize.NLTKWordTokenizer().tokenize(text)

from agent.prompts.prompt_constructor import CoTPromptConstructor, DirectPromptConstructor  # noqa: E402
from browser_env.actions import action2str, create_id_based_action, create_stop_action  # noqa: E402
from browser_env.processors import ObservationHandler  # noqa: E402
from evaluation_harness import evaluators  # noqa: E402
from llms.lm_config import LMConfig  # noqa: E402

VIEWPORT = {"width": 1280, "height": 720}


def pages():
    from playwright.sync_api import sync_playwright

    if not asked["pages"]:
        return []
    seen = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=asked["chromium"], args=asked["args"])
        for urls, kind, scroll in asked["pages"]:
            context = browser.new_context(viewport=VIEWPORT, device_scale_factor=1)
            context.add_cookies(asked["cookies"])
            for url in urls:
                page = context.new_page()
                page.client = context.new_cdp_session(page)
                page.goto(url)
            page = context.pages[0]
            page.bring_to_front()
            # After the page has loaded: before, Chromium numbers nodes while it loads, as chance has it.
            page.client.send("Accessibility.enable")
            if scroll:
                page.evaluate("window.scrollBy(0, window.innerHeight)")
            handler = ObservationHandler("text", kind, "", True, VIEWPORT)
            seen.append(handler.text_processor.process(page, page.client))
            context.close()
        browser.close()
    return seen


def action(text):
    try:
        made = create_id_based_action(text)
    except Exception as error:
        return {"error": type(error).__name__, "message": str(error)}
    kept = ["action_type", "text", "page_number", "url", "element_id", "key_comb", "direction", "answer"]
    return {"action": {key: int(made[key]) if key == "action_type" else made[key] for key in kept}, "says": action2str(made, "id_accessibility_tree", "link 'a'")}


class Page:
    """Stands for a browser's page: an address, a document, values of scripts."""

    def __init__(self, given):
        self.url = given["url"]
        self.given = given

    def goto(self, url):
        self.url = url

    def content(self):
        return self.given["content"]

    def evaluate(self, script):
        if "error" in self.given:
            raise RuntimeError(self.given["error"])
        return self.given["value"]


def judged(case):
    config = Path(tempfile.mkdtemp()) / "task.json"
    config.write_text(json.dumps(case["task"]))
    evaluators.time.sleep = lambda _: None
    evaluators.Page = Page
    evaluators.llm_fuzzy_match = lambda pred, ref, intent: 1.0 if ref.lower() in pred else 0.0
    evaluators.llm_ua_match = lambda pred, ref, intent: 1.0 if ref.lower() in pred else 0.0
    page = Page(case["page"])
    trajectory = [{}, create_stop_action(case["answer"])]
    score = 1.0
    for kind in case["task"]["eval"]["eval_types"]:
        evaluator = {"string_match": evaluators.StringEvaluator, "url_match": evaluators.URLEvaluator, "program_html": evaluators.HTMLContentEvaluator}[kind]()
        call = type(evaluator).__call__
        score *= getattr(call, "__wrapped__", call)(evaluator, trajectory, str(config), page, None)
    return score


def constructor(case):
    file = Path(tempfile.mkdtemp()) / "p.json"
    file.write_text(json.dumps(case["instruction"]))
    provider, mode, model = {"chat": ("openai", "chat", "gpt"), "completion": ("openai", "completion", "gpt"), "llama2": ("huggingface", "chat", "Llama-2")}[case["kind"]]
    config = LMConfig(provider=provider, model=model, mode=mode, gen_config={"max_obs_length": 0})
    made = {"CoTPromptConstructor": CoTPromptConstructor, "DirectPromptConstructor": DirectPromptConstructor}
    return made[case["instruction"]["meta_data"]["prompt_constructor"]](file, config, None)


def prompt(case):
    class Info:
        url = case["url"]

    state = {"observation": {"text": case["page"]}, "info": {"page": Info}}
    return constructor(case).construct([state], case["objective"], {"action_history": [case["previous"]]})


def extracted(case):
    try:
        return {"text": constructor(case).extract_action(case["reply"])}
    except Exception as error:
        return {"message": str(error)}


def instruction(name):
    import importlib.util

    spec = importlib.util.spec_from_file_location("p", Path(checkout) / "agent/prompts/raw" / name)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.prompt


json.dump(
    {
        "pages": pages(),
        "actions": [action(text) for text in asked["actions"]],
        "judged": [judged(case) for case in asked["judged"]],
        "prompts": [prompt(case) for case in asked["prompts"]],
        "replies": [extracted(case) for case in asked["replies"]],
        "instructions": {name: instruction(name) for name in asked["instructions"]},
    },
    sys.stdout,
)
