"""Python clients that run their loop of tools over errands. Usage: clients.py responses|completions|litellm; a JSON job on stdin.

`responses` is the OpenAI SDK's own helper; `completions` is the loop that its documentation writes out; LiteLLM's is the same over `completion`.
"""
import json
import sys

client_name = sys.argv[1]
job = json.load(sys.stdin)


def use(errand, called, name, arguments):
    (argument,) = arguments.values()
    called.append([name, argument])
    return errand["facts"][name].get(argument, "unknown")


def by_responses(errand, called):
    from openai import OpenAI
    from openai.lib.responses_tool_runner import RegisteredFunction, ResponsesToolRunner

    functions = [
        RegisteredFunction({"type": "function", "strict": False, **tool}, lambda given, name=tool["name"]: use(errand, called, name, given))
        for tool in errand["tools"]
    ]
    client = OpenAI(base_url=job["baseURL"], api_key="any", max_retries=0)
    said = [{"role": "system", "content": errand["system"]}, {"role": "user", "content": errand["question"]}]
    params = {"model": job["model"], "input": said, "temperature": 0, "max_output_tokens": 40}
    return ResponsesToolRunner(functions=functions).run(client, params, max_steps=5).output_text


def by_completions(errand, called):
    if client_name == "litellm":
        import litellm

        where = {"model": f"openai/{job['model']}", "api_base": job["baseURL"], "api_key": "any"}
        complete = litellm.completion
    else:
        from openai import OpenAI

        where = {"model": job["model"]}
        complete = OpenAI(base_url=job["baseURL"], api_key="any", max_retries=0).chat.completions.create
    messages = [{"role": "system", "content": errand["system"]}, {"role": "user", "content": errand["question"]}]
    tools = [{"type": "function", "function": tool} for tool in errand["tools"]]
    for _ in range(5):
        message = complete(**where, messages=messages, tools=tools, temperature=0, max_tokens=40).choices[0].message
        if not message.tool_calls:
            return message.content
        messages.append(message)
        for call in message.tool_calls:
            content = use(errand, called, call.function.name, json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": content})
    return ""


def run(errand):
    called = []
    loop = by_responses if client_name == "responses" else by_completions
    return {"answer": loop(errand, called), "called": called}


print(json.dumps([run(errand) for errand in job["errands"]]))
