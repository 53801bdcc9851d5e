"""verl's `AgentLoopBase` (0.7 and later; from 0.8 on the only way) over `agoge serve`: one row of the data is one episode.

Tokens of the model are kept as sampled (mask 1, their log-probabilities); what the environment says is rendered by verl itself
(mask 0). The reward is the sum of what the environment gave; a session is closed whatever happens.
"""

import os
from uuid import uuid4

from agoge_reply import read_reply
from agoge_session import AgogeError, Session
from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput
from verl.utils.profiler import simple_timer


class AgogeAgentLoop(AgentLoopBase):
    def __init__(self, *args, environments, timeout=300.0, wait=30.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.environments = environments
        self.limits = {"timeout": float(timeout), "wait": float(wait)}
        rollout = self.config.actor_rollout_ref.rollout
        self.response_length = int(rollout.response_length)

    async def run(self, sampling_params, **row):
        play = row["extra_info"]["interaction_kwargs"]
        settings = self.environments[play["name"]]
        task = {"env": play["env"], "split": play["split"], "index": int(play["task"])}
        session = await Session(settings["url"], task, token=os.environ.get("AGOGE_GYM_TOKEN"), **self.limits).open()
        try:
            return await self._play(session, settings, list(row["raw_prompt"]), dict(sampling_params))
        finally:
            await session.close()

    async def _play(self, session, settings, messages, sampling):
        if not messages[-1]["content"].endswith(session.observation):
            raise AgogeError("%s begins differently on the server than in the data: export again, or serve that version" % session.task)
        prompt_ids = await self._prompt(messages)
        ids, mask, logprobs, scores, spent = list(prompt_ids), [], [], [], {}
        request, turns = uuid4().hex, 0
        per_turn = int(settings.get("tokens_per_turn") or self.response_length)
        while True:
            room = self.response_length - len(mask)
            sampling["max_tokens"] = min(per_turn, room)
            with simple_timer("generate_sequences", spent):
                output = await self.server_manager.generate(request_id=request, prompt_ids=ids, sampling_params=sampling)
            sampled = list(output.token_ids)[:room]
            ids += sampled
            mask += [1] * len(sampled)
            logprobs += list(output.log_probs)[:room] if output.log_probs else [0.0] * len(sampled)
            turns += 1
            reply = self.tokenizer.decode(sampled, skip_special_tokens=True)
            action, problem = read_reply(reply, settings["format"], list(settings.get("brackets") or []))
            answer = {"observation": problem, "reward": 0.0, "done": False}
            if action is not None:
                with simple_timer("tool_calls", spent):
                    answer = await session.step(action)
            scores.append(float(answer["reward"]))
            if answer["done"] or turns >= int(settings["max_turns"]) or len(mask) >= self.response_length:
                break
            before = messages + [{"role": "assistant", "content": reply}]
            messages = before + [{"role": "user", "content": answer["observation"]}]
            longer = await self._observe(before, messages, ids, mask, logprobs)
            if len(longer[1]) >= self.response_length:
                break
            ids, mask, logprobs = longer
        return AgentLoopOutput(
            prompt_ids=list(prompt_ids),
            response_ids=ids[len(prompt_ids) :],
            response_mask=mask,
            response_logprobs=logprobs if sampling.get("logprobs") else None,
            reward_score=sum(scores),
            num_turns=2 * turns + 1,
            metrics=AgentLoopMetrics(**{key: value for key, value in spent.items() if key in AgentLoopMetrics.model_fields}),
            extra_fields={"turn_scores": scores, "tool_rewards": []},
        )

    async def _prompt(self, messages):
        if hasattr(self, "ct_build_initial_tokens"):  # 0.9
            return await self.ct_build_initial_tokens(messages)
        return await self.apply_chat_template(messages)

    async def _observe(self, before, messages, ids, mask, logprobs):
        """The episode with the last message behind it, rendered as verl does for its own loops."""
        if hasattr(self, "ct_merge_context_msg"):  # 0.9
            merged, mask, logprobs = await self.ct_merge_context_msg(before, messages, ids, mask, logprobs)
            return list(merged.token_ids), mask, logprobs
        added = list(await self.apply_chat_template([messages[-1]], remove_system_prompt=True))
        return ids + added, mask + [0] * len(added), logprobs + [0.0] * len(added)
