"""TextCraft through verifiers' own `vf-eval`, against a scripted OpenAI server: arguments are the server's address and the adapter's folder."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ACTIONS = ["<think>6 are needed</think>get 6 cobblestone", "Thought: now craft.\nAction: craft 4 cobblestone stairs using 6 cobblestone"]
asked = []


class Model(BaseHTTPRequestHandler):
    """The expert of task 3; elsewhere the same words lead nowhere."""

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        asked.append(body["messages"])
        turn = sum(message["role"] == "assistant" for message in body["messages"])
        message = {"role": "assistant", "content": ACTIONS[turn] if turn < len(ACTIONS) else "inventory"}
        common = {"id": "x", "object": "chat.completion.chunk", "created": 0, "model": "scripted"}
        parts = [
            {**common, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**common, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {**common, "choices": [], "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}},
        ]
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        self.wfile.write("".join(f"data: {part}\n\n" for part in [*map(json.dumps, parts), "[DONE]"]).encode())

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
bin, out = os.path.dirname(sys.executable), tempfile.mkdtemp()
environment = {**os.environ, "PYTHONPATH": sys.argv[2], "PATH": bin + os.pathsep + os.environ["PATH"], "SCRIPTED_KEY": "x"}
arguments = ["agoge-verifiers", "--env.taskset.url", sys.argv[1], "--env.taskset.tasks", "4", "--select.skip", "2", "-m", "scripted"]
client = ["--client.base-url", f"http://127.0.0.1:{model.server_port}/v1", "--client.api-key-var", "SCRIPTED_KEY"]
options = ["--env.player.max-turns", "3", "--no-push", "--no-rich", "-o", out]
ran = subprocess.run([f"{bin}/vf-eval", *arguments, *client, *options], env=environment, capture_output=True, text=True, timeout=400)
sys.stderr.write(ran.stdout + ran.stderr)
episodes = [json.loads(line) for path in pathlib.Path(out).rglob("traces.jsonl") for line in path.read_text().splitlines()]
played = {
    episode["task"]["data"]["name"]: {
        "ok": episode["ok"],
        "rewards": {name: reward["score"] for name, reward in episode["traces"][0]["rewards"].items()},
        "stop": episode["traces"][0]["stop_condition"],
    }
    for episode in episodes
}
longest = max((messages for messages in asked if "cobblestone stairs" in messages[1]["content"]), key=len)
print(json.dumps({"rc": ran.returncode, "played": played, "roles": [message["role"] for message in longest], "told": longest[-1]["content"]}))
