"""The original WebArena's Playwright actions, func: helpers and requests to models, on what Node asks. One JSON in, one JSON out."""
import json
import os
import sys
import tempfile
import types

checkout = sys.argv[1]
asked = json.load(sys.stdin)
for name, value in asked["sites"].items():
    os.environ[name.upper()] = value
os.environ["OPENAI_API_KEY"] = "none"
os.chdir(tempfile.mkdtemp())
sys.path.insert(0, checkout)
sys.modules["transformers"] = types.ModuleType("transformers")
sys.modules["transformers"].LlamaTokenizer = None

import openai  # noqa: E402

from browser_env.actions import ActionParsingError, create_playwright_action, parse_playwright_code  # noqa: E402
from browser_env.auto_login import get_site_comb_from_filepath  # noqa: E402
from evaluation_harness import helper_functions as helpers  # noqa: E402
from llms.providers.hf_utils import generate_from_huggingface_completion  # noqa: E402
from llms.providers.openai_utils import generate_from_openai_completion  # noqa: E402


def action(code):
    kept = ["action_type", "text", "page_number", "url", "element_id", "key_comb", "direction", "answer", "pw_code"]
    try:
        made = create_playwright_action(code)
    except ActionParsingError as error:
        return {"error": str(error)}
    except KeyError as error:
        return {"error": str(error)}
    except Exception as error:
        # An argument that is None is refused by a check of types: the original has no rule for such a code.
        return {"broken": type(error).__name__}
    return {"action": {key: int(made[key]) if key == "action_type" else made[key] for key in kept}}


def calls(code):
    try:
        return [[call["function_name"], call["arguments"], call["keywords"]] for call in parse_playwright_code(code)]
    except Exception:
        return None


def roles():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=asked["chromium"], args=asked["args"])
        context = browser.new_context()
        context.add_cookies([asked["cookie"]])
        page = context.new_page()
        page.goto(asked["members"])
        found = [helpers.gitlab_get_project_memeber_role(page, account) for account in asked["accounts"]]
        browser.close()
    return found


openai.api_base = asked["models"] + "/v1"
sampling = {"temperature": 0.5, "top_p": 0.9}
completed = generate_from_openai_completion(prompt=asked["prompt"], engine="m", max_tokens=9, context_length=0, stop_token="\n\n", **sampling)
generated = generate_from_huggingface_completion(
    prompt=asked["prompt"], model_endpoint=asked["models"] + "/generate", max_new_tokens=9, stop_sequences=["\n\n"], **sampling
)
json.dump(
    {
        "actions": [action(code) for code in asked["codes"]],
        "calls": [calls(code) for code in asked["codes"]],
        "posts": [helpers.reddit_get_post_url(url) for url in asked["urls"]],
        "combinations": [get_site_comb_from_filepath(path) for path in asked["states"]],
        "order": helpers.shopping_get_latest_order_url(),
        "reviews": [
            [helpers.shopping_get_sku_latest_review_author(sku), helpers.shopping_get_sku_latest_review_rating(sku)] for sku in asked["skus"]
        ],
        "roles": roles(),
        "replies": [completed, generated],
    },
    sys.stdout,
)
