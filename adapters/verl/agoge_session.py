"""One play of one task on `agoge serve`, over its native protocol (docs/gym.md). Standard library only.

Opening and stepping can be sent again without harm (a key, a sequence number), so lost connections are retried. With several servers
an episode whose server is gone is opened on another one and its actions are played again; every answer must be the same as before.
"""

import asyncio
import json
import random
import time
import urllib.error
import urllib.request
import uuid
from concurrent.futures import ThreadPoolExecutor

# Calls of many episodes wait for their answers at once; the default pool of asyncio would serialise them.
_pool = ThreadPoolExecutor(max_workers=256, thread_name_prefix="agoge")


class AgogeError(RuntimeError):
    pass


class Gone(AgogeError):
    """The server does not answer, or does not know the session any more."""


class Session:
    def __init__(self, urls, task, timeout=300.0, wait=30.0, token=None):
        self.urls = [url.strip().rstrip("/") for url in (urls.split(",") if isinstance(urls, str) else urls)]
        self.task, self.timeout, self.wait, self.token = task, timeout, wait, token
        self.played = []
        self.observation = None
        self._url = self._id = None

    async def open(self):
        self.observation = await self._open_somewhere()
        return self

    async def step(self, action):
        """{observation, reward, done, …}"""
        for _ in range(10):
            try:
                answer = await self._step(len(self.played) + 1, action)
                self.played.append((action, answer))
                return answer
            except Gone:
                await self._move()
        raise AgogeError("%s: its servers keep going away" % (self.task,))

    async def close(self):
        if self._id is not None:
            session, self._id = self._id, None
            try:
                await self._call("DELETE", self._url, "/v1/sessions/%d" % session, patience=0)
            except AgogeError:
                pass  # a server that is gone, or has closed it already

    async def _step(self, sequence, action):
        path = "/v1/sessions/%d/steps" % self._id
        return await self._call("POST", self._url, path, {"sequence": sequence, "action": action}, patience=2.0)

    async def _open_somewhere(self):
        until = time.monotonic() + self.wait
        body = {"task": self.task, "key": uuid.uuid4().hex}
        while True:
            for url in random.sample(self.urls, len(self.urls)):
                try:
                    answer = await self._call("POST", url, "/v1/sessions", body, patience=0)
                except Gone as gone:
                    last = gone
                    continue
                self._url, self._id = url, answer["session"]
                return answer["observation"]
            if time.monotonic() > until:
                raise last
            await asyncio.sleep(0.5)

    async def _move(self):
        first = await self._open_somewhere()
        same = first == self.observation
        for sequence, (action, before) in enumerate(self.played, 1):
            answer = await self._step(sequence, action)
            same = same and all(answer[key] == before[key] for key in ("observation", "reward", "done"))
        if not same:
            raise AgogeError("%s did not play the same way on another server: start all from one version" % (self.task,))

    async def _call(self, method, url, path, body=None, patience=0.0):
        until = time.monotonic() + patience
        while True:
            try:
                return await asyncio.get_running_loop().run_in_executor(_pool, self._send, method, url + path, body)
            except Gone:
                if time.monotonic() > until:
                    raise
            await asyncio.sleep(0.2)

    def _send(self, method, url, body):
        headers = {"content-type": "application/json"}
        if self.token:
            headers["authorization"] = "Bearer " + self.token
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=self.timeout) as answer:
                return json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refused:
            text = refused.read(10_000).decode("utf-8", "replace")
            # Full or shutting down, or restarted and without this session: another server, or the same one later.
            if refused.code in (502, 503, 504) or (refused.code == 404 and "/steps" in url):
                raise Gone("%s: %d %s" % (url, refused.code, text)) from refused
            raise AgogeError("%s: %d %s" % (url, refused.code, text)) from refused
        except (OSError, ValueError) as lost:
            raise Gone("%s: %s" % (url, lost)) from lost
